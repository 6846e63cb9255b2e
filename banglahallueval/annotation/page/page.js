(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const labels = new Labels(data);
  const $ = (id) => document.getElementById(id);
  const items = data.items;
  let lang = labels.read("lang") ?? (navigator.language.startsWith("bn") ? "bn" : "en");
  let size = Number(labels.read("size") ?? 1.25);
  let at = 0;

  const number = (value) => new Intl.NumberFormat(lang === "bn" ? "bn-BD" : "en").format(value);
  const say = (name, values = {}) =>
    data.strings[lang][name].replace(/\{(\w+)\}/g, (_, key) =>
      typeof values[key] === "number" ? number(values[key]) : String(values[key]));
  const answerText = (question, answer) => question.scale ? number(Number(answer)) : say(answer);
  const isDone = (id) => data.questions.every((q) => labels.get(id).answers[q.name]);
  // Marks belong to a yes; those of an answer that was changed are kept aside.
  const judgement = (record) => record.answers[data.questions[0].name];
  const marksOf = (record) => judgement(record) === "yes" ? record.spans : [];
  const isBare = (id) => {
    const record = labels.get(id);
    return data.marked && judgement(record) === "yes" && !record.spans.length;
  };
  const counts = () => {
    const done = items.filter((item) => isDone(item.id)).length;
    const bare = items.filter((item) => isBare(item.id)).length;
    return { done, all: items.length, left: items.length - done, bare };
  };
  const short = (text) => [...text].length > 60 ? [...text].slice(0, 60).join("") + "…" : text;
  const status = (name, values = {}) => {
    const text = short(values.text ?? "");
    $("status").textContent = say(name, { ...values, text });
  };
  const element = (tag, text, more = {}) =>
    Object.assign(document.createElement(tag), { textContent: text, ...more });
  const marking = data.marked
    ? new Marking((spans, message, values) => change({ spans }, message, values), status, say)
    : null;

  // ---- showing -------------------------------------------------------------------------------

  function showFrame() {
    document.documentElement.lang = lang;
    document.documentElement.style.setProperty("--text-size", size + "rem");
    for (const node of document.querySelectorAll("[data-text]"))
      node.textContent = say(node.dataset.text);
    for (const node of document.querySelectorAll("[data-label]"))
      node.setAttribute("aria-label", say(node.dataset.label));
    for (const node of document.querySelectorAll("[data-guideline]"))
      node.hidden = node.dataset.guideline !== lang;
    $("language").textContent = say("language");
    $("language").lang = lang === "en" ? "bn" : "en";
    $("form-name").textContent = say("form_" + data.form);
    $("study").textContent = data.study;
    $("annotator").textContent = data.annotator;
  }

  function showItem() {
    const item = items[at];
    $("place").textContent = say("item", { n: at + 1, all: items.length });
    $("texts").replaceChildren(...data.fields.map((field) => {
      const block = element("section", "", { className: field.role });
      // textContent, never innerHTML: an item may hold anything.
      const text = element("p", item.texts[field.name], { lang: field.lang, className: "text" });
      block.append(element("h3", say(field.name)), text);
      if (field.name === data.marked) {
        const hint = element("p", "", { className: "hint" });
        block.append(hint);
        marking.attach(text, item.texts[field.name], hint);
      }
      return block;
    }));
    $("votes").hidden = !item.votes.length;
    $("votes").querySelector("ul").replaceChildren(...item.votes.map((v) => element("li", v)));
    $("note").value = labels.get(item.id).note;
    $("previous").disabled = at === 0;
    showLabels();
  }

  function showLabels() {
    const record = labels.get(items[at].id);
    for (const button of $("questions").querySelectorAll(".answer"))
      button.setAttribute(
        "aria-pressed", String(record.answers[button.dataset.question] === button.value));
    $("unsure").setAttribute("aria-pressed", String(record.unsure));
    marking?.show(judgement(record), record.spans);
    const count = counts();
    $("bar").max = count.all;
    $("bar").value = count.done;
    $("count").textContent = say("progress", count);
    const unsaved = items.filter((item) => !labels.get(item.id).exported).length;
    $("unsaved").textContent = unsaved ? say("unsaved", { n: unsaved }) : "";
    $("bare").textContent = count.bare ? say("bare", count) : "";
    $("warning").hidden = labels.works;
    $("warning").textContent = labels.works ? "" : say("no_storage");
    if ($("overview").open) showList();
  }

  function showQuestions() {
    $("questions").replaceChildren(...data.questions.map((question) => {
      const group = element("div", "", { className: "question" });
      group.setAttribute("role", "group");
      const name = element("span", say(question.name), { id: "q-" + question.name });
      group.setAttribute("aria-labelledby", name.id);
      group.append(name, ...question.answers.map((answer) => {
        const button = element("button", answerText(question, answer), {
          type: "button", value: answer, className: "answer " + (question.scale ? "" : answer),
        });
        button.dataset.question = question.name;
        button.addEventListener("click", () => give(question.name, answer));
        return button;
      }));
      return group;
    }));
    if (marking) $("questions").lastChild.append(marking.button);
  }

  function showList() {
    $("list").replaceChildren(...items.map((item, place) => {
      const record = labels.get(item.id);
      const given = data.questions.map((q) =>
        record.answers[q.name] ? answerText(q, record.answers[q.name]) : say("open"));
      const flag = record.unsure ? " · " + say("unsure") : "";
      const bare = isBare(item.id) ? " · " + say("no_mark") : "";
      const button = element("button", number(place + 1) + ": " + given.join(", ") + bare + flag, {
        type: "button", className: isDone(item.id) ? "done" : "",
      });
      if (place === at) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => go(place));
      const line = document.createElement("li");
      line.append(button);
      return line;
    }));
  }

  function showAll() { showFrame(); showQuestions(); showItem(); }

  // ---- labelling -----------------------------------------------------------------------------

  function change(values, message, shown) {
    labels.set(items[at].id, values);
    status(message, shown);
    showLabels();
  }

  function tellAllDone() {
    const count = counts();
    status(count.bare ? "all_done_bare" : "all_done", count);
  }

  function give(question, answer) {
    const record = labels.get(items[at].id);
    // Giving the same answer again takes it back.
    const same = record.answers[question] === answer;
    change(
      { answers: { ...record.answers, [question]: same ? undefined : answer } },
      same ? "cleared" : "saved");
    if (!counts().left) tellAllDone();
    else if (!same && $("advance").checked && isDone(items[at].id) && !isBare(items[at].id)) next();
  }

  function flip() { change({ unsure: !labels.get(items[at].id).unsure }, "saved"); }

  function go(place) {
    at = Math.min(Math.max(place, 0), items.length - 1);
    labels.write("at", String(at));
    showItem();
    // On a phone the header would push the item out of sight.
    const narrow = window.matchMedia("(max-width: 40rem)").matches;
    window.scrollTo(0, narrow ? $("item").offsetTop : 0);
    $("item").focus({ preventScroll: true });
  }

  /** The next item; past the last one, the first that lacks something: nobody ends by skipping. */
  function next() {
    if (at < items.length - 1) return go(at + 1);
    return nextOpen();
  }

  function nextOpen() {
    const order = [...items.keys()].map((step) => (at + 1 + step) % items.length);
    const open = order.find((place) => !isDone(items[place].id))
      ?? order.find((place) => isBare(items[place].id));
    if (open === undefined) return tellAllDone();
    const wrapped = open <= at;
    go(open);
    if (!isDone(items[open].id)) { if (wrapped) status("not_done", counts()); }
    else tellAllDone();
  }

  function onKey(event) {
    const typing = event.target.closest("textarea, input:not([type=checkbox])");
    if (event.key === "Escape" && typing) { $("item").focus({ preventScroll: true }); return; }
    if (!typing && marking?.onKey(event)) { event.preventDefault(); return; }
    if (typing || !$("keys").checked || event.repeat) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") next();
    else if (event.key === "ArrowLeft") go(at - 1);
    else {
      // A Bangla layout gives Bangla letters: then the key's place counts.
      const latin = /^[a-z0-9]$/i.test(event.key);
      const sign = latin ? event.key.toLowerCase() : event.code.slice(-1).toLowerCase();
      const answer = { y: "yes", n: "no" }[sign] ?? sign;
      const question = data.questions.find((q) => q.answers.includes(answer));
      if (!latin && !/^(Key|Digit|Numpad)/.test(event.code)) return;
      if (sign === "u") flip();
      else if (sign === "m" && marking) marking.press();
      else if (question) give(question.name, answer);
      else return;
    }
    event.preventDefault();
  }

  // ---- files ---------------------------------------------------------------------------------

  const columns = ["blind_id", ...data.questions.map((q) => q.name),
    ...(data.marked ? ["spans"] : []), "unsure", "note", "annotator", "study", "sheet"];
  // Blank is not marked: a yes without a mark, or no label; [] is a no, which has nothing to mark.
  const spansCell = (record) => {
    const spans = marksOf(record);
    return spans.length || judgement(record) === "no" ? JSON.stringify(spans) : "";
  };

  function exportCsv() {
    const rows = items.map((item) => {
      const record = labels.get(item.id);
      return [item.id, ...data.questions.map((q) => record.answers[q.name] ?? ""),
        ...(data.marked ? [spansCell(record)] : []), record.unsure ? "yes" : "", record.note, data.annotator, data.study, data.sheet];
    });
    const file = new Blob([writeCsv([columns, ...rows])], { type: "text/csv;charset=utf-8" });
    const link = element("a", "", {
      href: URL.createObjectURL(file),
      download: [data.study, data.form, data.annotator].join("_") + ".csv",
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    for (const item of items)
      if (!labels.get(item.id).exported) labels.set(item.id, { exported: true });
    showLabels();
    const count = counts();
    status(count.left ? "exported_part" : count.bare ? "exported_bare" : "exported", count);
  }

  function importCsv(text) {
    const [header = [], ...rows] = parseCsv(text);
    // A file of a page that did not ask for marks says nothing of them.
    const missing = columns.find((name) => name !== "spans" && !header.includes(name));
    if (missing) return status("import_bad", { what: missing });
    const found = new Map();
    for (const cells of rows) {
      const row = Object.fromEntries(header.map((name, place) => [name, (cells[place] ?? "").trim()]));
      if (row.sheet !== data.sheet || row.annotator !== data.annotator)
        return status("import_other");
      const answers = {};
      for (const q of data.questions) {
        const answer = row[q.name].toLowerCase();
        if (answer && !q.answers.includes(answer))
          return status("import_bad", { what: row.blind_id + ": " + row[q.name] });
        if (answer) answers[q.name] = answer;
      }
      const marks = {};
      if (data.marked && row.spans !== undefined) {
        const text = items.find((item) => item.id === row.blind_id)?.texts[data.marked] ?? "";
        marks.spans = readSpans(row.spans, text);
        if (!marks.spans || (marks.spans.length && judgement({ answers }) !== "yes"))
          return status("import_bad", { what: row.blind_id + ": " + row.spans });
      }
      if (Object.keys(answers).length || row.unsure || row.note)
        found.set(row.blind_id,
          { answers, unsure: row.unsure.toLowerCase() === "yes", note: row.note, ...marks });
    }
    const essence = (record) => JSON.stringify(
      [data.questions.map((q) => record.answers[q.name] ?? ""), record.unsure, record.note,
        marksOf(record)]);
    const blank = essence({ answers: {}, unsure: false, note: "" });
    const mine = items.filter((item) => found.has(item.id));
    const other = mine.filter((item) => {
      const record = labels.get(item.id);
      const here = essence(record);
      return here !== blank && here !== essence({ ...record, ...found.get(item.id) });
    });
    const replace = !other.length || confirm(say("import_replace", { n: other.length }));
    const taken = mine.filter((item) => replace || !other.includes(item));
    for (const item of taken) labels.set(item.id, { ...found.get(item.id), exported: true });
    showItem();
    return status("imported", { n: taken.length });
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
    showFrame();
  };
  $("smaller").addEventListener("click", () => resize(-0.125));
  $("larger").addEventListener("click", () => resize(0.125));
  $("language").addEventListener("click", () => {
    lang = lang === "en" ? "bn" : "en";
    labels.write("lang", lang);
    showAll();
  });
  $("unsure").addEventListener("click", flip);
  $("previous").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", next);
  $("next-open").addEventListener("click", nextOpen);
  $("note").addEventListener("input", () => change({ note: $("note").value }, "saved"));
  $("overview").addEventListener("toggle", () => { if ($("overview").open) showList(); });
  $("export").addEventListener("click", exportCsv);
  $("import").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) importCsv(await file.text());
    $("file").value = "";
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("storage", (event) => {
    if (event.key === labels.prefix + "item:" + items[at].id) showItem();
    else if (event.key?.startsWith(labels.prefix + "item:")) showLabels();
  });
  window.addEventListener("beforeunload", (event) => {
    if (items.some((item) => !labels.get(item.id).exported)) event.preventDefault();
  });

  $("guidelines").open = window.matchMedia("(min-width: 60rem)").matches;
  at = Math.min(Number(labels.read("at") ?? 0), items.length - 1);
  showAll();
})();
