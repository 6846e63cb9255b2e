(() => {
  const data = JSON.parse($("data").textContent);
  const labels = new Labels(data, (id) => onOtherChange(id));
  const work = new Work(data, labels);
  const byBrowser = navigator.language.startsWith("bn") ? "bn" : "en";
  const words = new Words(data.strings, labels.read("lang") ?? byBrowser);
  const view = new View(work, words);
  const time = new ActiveTime();
  const { items } = data;
  let size = Number(labels.read("size") ?? 1.25);
  let at = 0;
  // When the annotator put the reminder off: how much was not exported, and when.
  let later = { count: 0, time: 0 };

  if (data.marked)
    view.marking = new Marking(
      (spans, message, values) => change({ spans }, message, values),
      (...message) => view.status(...message), (...message) => words.say(...message));

  // ---- showing -------------------------------------------------------------------------------

  const filter = () => $("filter").value;

  /** The reminder that is due: after 20 labels or half an hour, at the end, sooner if not saved. */
  function reminder() {
    const open = work.unexported();
    if (!open.length) return "";
    const since = Math.max(later.time, Math.min(...open.map((record) => record.since)));
    const isOld = Date.now() - since >= 1800000;
    if (!work.counts().left && open.length > later.count) return "remind_end";
    return open.length - later.count >= (labels.copies ? 20 : 5) || isOld ? "remind" : "";
  }

  function showLabels() {
    view.all(at, filter(), reminder());
    $("previous").disabled = !work.shown(filter()).some((place) => place < at);
  }

  function showItem() {
    view.item(at);
    showLabels();
    view.fold(labels.read("evidence"));
  }

  function showAll() {
    view.frame(size);
    view.questions(give);
    showItem();
  }

  function onOtherChange(id) {
    if (labels.restored) view.status("restored", { n: labels.restored });
    if (labels.restored || id === items[at].id) showItem(); else showLabels();
    labels.restored = 0;
  }

  // ---- labelling -----------------------------------------------------------------------------

  function keepTime() {
    const { id } = items[at];
    const { seconds, exported } = labels.get(id);
    const more = time.take();
    if (more) labels.set(id, { seconds: Math.round(10 * (seconds + more)) / 10, exported });
  }

  function change(values, message, shown) {
    keepTime();
    work.change([[items[at].id, values]]);
    view.status(message, shown);
    showLabels();
  }

  function tellAllDone() {
    const count = work.counts();
    view.status(count.bare ? "all_done_bare" : "all_done", count);
  }

  function give(name, answer) {
    const { id } = items[at];
    const { answers } = labels.get(id);
    // Giving the same answer again takes it back.
    const same = answers[name] === answer;
    const question = data.questions.find((q) => q.name === name);
    change(
      { answers: { ...answers, [name]: same ? undefined : answer } },
      same ? "cleared" : "given", { text: words.answer(question, answer) });
    if (!work.counts().left) tellAllDone();
    else if (!same && $("advance").checked && work.isDone(id) && !work.isBare(id)) next();
  }

  function flip() {
    const { unsure } = labels.get(items[at].id);
    change({ unsure: !unsure }, unsure ? "not_flagged" : "flagged");
  }

  function undo() {
    keepTime();
    const id = work.undo();
    if (id === undefined) return view.status("nothing_to_undo");
    const place = items.findIndex((item) => item.id === id);
    if (place === at) showItem(); else go(place);
    return view.status("undone", { n: place + 1 });
  }

  // ---- moving --------------------------------------------------------------------------------

  function go(place) {
    keepTime();
    at = place;
    labels.write("at", String(at));
    view.sheet(false);
    view.toggle("noting", false);
    showItem();
    $("item").focus({ preventScroll: true });
  }

  function previous() {
    const place = work.shown(filter()).findLast((other) => other < at);
    if (place !== undefined) go(place);
  }

  /** The next item; past the last one, the first that lacks something: nobody ends by skipping. */
  function next() {
    const shown = work.shown(filter());
    const place = shown.find((other) => other > at);
    if (place !== undefined) return go(place);
    if (filter() === "all") return nextOpen();
    const first = shown.find((other) => other !== at);
    if (first !== undefined) go(first);
    return view.status(first === undefined ? "filter_end" : "filter_first");
  }

  function nextOpen() {
    const open = work.nextOpen(at);
    if (open === undefined) return tellAllDone();
    const wrapped = open <= at;
    go(open);
    if (work.isDone(items[open].id)) tellAllDone();
    else if (wrapped) view.status("not_done", work.counts());
    return undefined;
  }

  function choose() {
    const shown = work.shown(filter());
    if (!shown.length) {
      $("filter").value = "all";
      view.status("filter_none");
    } else if (!shown.includes(at)) go(shown.find((place) => place > at) ?? shown[0]);
    showItem();
  }

  /** Leave what covers the item, on a small screen, and read the evidence or the judged text. */
  function jump(role) {
    view.sheet(false);
    if (role === "evidence" && document.body.classList.contains("folded")) fold();
    const text = document.querySelector("." + role);
    const pane = text.closest(".pane");
    pane.scrollTop += text.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    pane.focus({ preventScroll: true });
  }

  function fold() {
    labels.write("evidence", document.body.classList.contains("folded") ? "1" : "0");
    view.fold(labels.read("evidence"));
  }

  // ---- keys ----------------------------------------------------------------------------------

  function onKey(event) {
    const typing = event.target.closest("textarea, select, input:not([type=checkbox])");
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey &&
      (event.key.toLowerCase() === "z" || event.code === "KeyZ");
    if (event.key === "Escape" && typing) { $("item").focus({ preventScroll: true }); return; }
    if (event.key === "Escape" && view.isSheetOpen) { view.sheet(false); return; }
    // In a text the browser undoes the typing.
    if (isUndo && !typing) { event.preventDefault(); undo(); return; }
    if (!typing && view.marking?.onKey(event)) { event.preventDefault(); return; }
    if (typing || !$("keys").checked) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (scrollByKey(event)) { event.preventDefault(); return; }
    if (event.repeat) return;
    if (event.key === "ArrowRight") next();
    else if (event.key === "ArrowLeft") previous();
    else {
      // A Bangla layout gives Bangla letters: then the key's place counts. Without Num Lock, a
      // number pad has keys with names, as End.
      const latin = /^[a-z0-9]$/i.test(event.key);
      const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1] ?? "";
      const isNamed = event.code.startsWith("Numpad") && event.key.length > 1;
      const sign = (latin ? event.key : isNamed ? "" : place).toLowerCase();
      const answer = { y: "yes", n: "no" }[sign] ?? sign;
      const question = data.questions.find((q) => q.answers.includes(answer));
      if (sign === "u") flip();
      else if (sign === "m" && view.marking) view.marking.press();
      else if (question) give(question.name, answer);
      else return;
    }
    event.preventDefault();
  }

  /** Scroll the evidence unless another pane has the focus, which the browser scrolls itself. */
  function scrollByKey(event) {
    const lines = { ArrowDown: 60, ArrowUp: -60, PageDown: 300, PageUp: -300 }[event.key];
    if (!lines || ![document.body, $("item")].includes(document.activeElement)) return false;
    document.querySelector(".pane").scrollBy(0, lines);
    return true;
  }

  // ---- files ---------------------------------------------------------------------------------

  function exportCsv() {
    keepTime();
    download(
      [data.study, data.form, data.annotator].join("_") + ".csv", writeCsv(exportRows(work)));
    for (const { id } of items)
      if (!labels.get(id).exported) labels.set(id, { exported: true });
    later = { count: 0, time: 0 };
    showLabels();
    const count = work.counts();
    view.status(count.left ? "exported_part" : count.bare ? "exported_bare" : "exported", count);
  }

  async function importCsv() {
    const [file] = $("file").files;
    if (!file) return undefined;
    // It may have been deleted or locked since it was chosen.
    const text = await file.text().catch(() => "");
    const read = readExport(work, text);
    $("file").value = "";
    if (!read.found) return view.status(read.message, read.values);
    const n = takeExport(work, read.found, (other) => confirm(words.say("import_replace", { n: other })));
    showItem();
    return view.status("imported", { n });
  }

  // ---- wiring --------------------------------------------------------------------------------

  const setting = (id, byDefault) => {
    $(id).checked = (labels.read(id) ?? byDefault) === "1";
    $(id).addEventListener("change", () => labels.write(id, $(id).checked ? "1" : "0"));
  };
  setting("advance", "0");
  setting("keys", "1");
  const resize = (step) => {
    size = Math.min(2.5, Math.max(0.875, size + step));
    labels.write("size", String(size));
    view.frame(size);
    view.fold(labels.read("evidence"));
  };
  const clicks = {
    smaller: () => resize(-0.125), larger: () => resize(0.125), unsure: flip, undo, previous, next,
    "next-open": nextOpen, export: exportCsv, "export-now": exportCsv, fold,
    import: () => $("file").click(),
    menu: () => view.toggle("menu"),
    noting: () => { view.toggle("noting"); $("note").focus(); },
    "to-evidence": () => jump("evidence"),
    "to-output": () => jump("output"),
    "to-guidelines": () => view.sheet(!view.isSheetOpen),
    later: () => { later = { count: work.unexported().length, time: Date.now() }; showLabels(); },
    language: () => {
      words.lang = words.lang === "en" ? "bn" : "en";
      labels.write("lang", words.lang);
      showAll();
    },
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  $("list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(Number(button.value));
  });
  $("filter").addEventListener("change", choose);
  $("note").addEventListener("input", () => change({ note: $("note").value }, "noted"));
  $("note").addEventListener("change", () => work.endStep());
  $("overview").addEventListener("toggle", () => { if ($("overview").open) showLabels(); });
  $("file").addEventListener("change", importCsv);
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keepTime(); else time.count();
  });
  window.addEventListener("pagehide", keepTime);
  window.addEventListener("resize", () => view.fold(labels.read("evidence")));
  window.addEventListener("beforeunload", (event) => {
    if (!labels.isSaved && work.unexported().length) event.preventDefault();
  });

  $("guidelines").open = isWide();
  $("app").hidden = false;
  at = Math.min(Number(labels.read("at") ?? 0), items.length - 1);
  showAll();
  labels.joining.then(() => { $("app").dataset.copies = "joined"; });
})();
