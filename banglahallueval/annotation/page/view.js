const $ = (id) => document.getElementById(id);
const element = (tag, text, more = {}) =>
  Object.assign(document.createElement(tag), { textContent: text, ...more });
const isWide = () => window.matchMedia("(min-width: 60rem) and (min-height: 30.01rem)").matches;

/** Shows items and labels; it changes neither. */
class View {
  constructor(work, words) { Object.assign(this, { work, words, marking: null, isSheetOpen: false }); }

  get labels() { return this.work.labels; }

  status(name, values = {}) {
    const signs = [...(values.text ?? "")];
    const text = signs.slice(0, 60).join("") + (signs.length > 60 ? "…" : "");
    $("status").textContent = this.words.say(name, { ...values, text });
  }

  frame(size) {
    const { words } = this;
    document.documentElement.lang = words.lang;
    document.documentElement.style.setProperty("--text-size", size + "rem");
    for (const node of document.querySelectorAll("[data-text]"))
      node.textContent = words.say(node.dataset.text);
    for (const node of document.querySelectorAll("[data-label]"))
      node.setAttribute("aria-label", words.say(node.dataset.label));
    for (const node of document.querySelectorAll("[data-guideline]"))
      node.hidden = node.dataset.guideline !== words.lang;
    $("language").textContent = words.say("language");
    $("language").lang = words.lang === "en" ? "bn" : "en";
    $("form-name").textContent = words.say("form_" + this.work.data.form);
    $("study").textContent = this.work.data.study;
    $("annotator").textContent = this.work.data.annotator;
  }

  /** The buttons of the answers; `give` is called with a question's name and the answer pressed. */
  questions(give) {
    $("questions").replaceChildren(...this.work.data.questions.map((question) => {
      const group = element("div", "", { className: "question" });
      group.setAttribute("role", "group");
      const name = element("span", this.words.say(question.name), { id: "q-" + question.name });
      group.setAttribute("aria-labelledby", name.id);
      group.append(name, ...question.answers.map((answer) => {
        const button = element("button", this.words.answer(question, answer), {
          type: "button", value: answer, className: "answer " + (question.scale ? "mark" : answer),
        });
        button.dataset.question = question.name;
        button.addEventListener("click", () => give(question.name, answer));
        return button;
      }));
      return group;
    }));
    if (this.marking) $("questions").lastChild.append(this.marking.button);
  }

  // ---- an item -------------------------------------------------------------------------------

  item(at) {
    const { work, words } = this;
    const item = work.items[at];
    $("place").textContent = words.say("item", { n: at + 1, all: work.items.length });
    const blocks = work.data.fields.map((field) => this.block(field, item.texts[field.name]));
    const evidence = blocks.filter((block) => block.classList.contains("evidence"));
    // Where one text is judged, the evidence is a pane of its own; a question stays beside the
    // answer. Where originals and judged texts alternate, there is one pane.
    const isApart = evidence.length === blocks.length - 1;
    const apart = evidence.filter((block) => evidence.length === 1 || !block.matches(".asked"));
    const panes = isApart
      ? { evidence: apart, output: blocks.filter((block) => !apart.includes(block)) } : { texts: blocks };
    $("texts").replaceChildren(...Object.entries(panes).map(([name, inside]) => {
      const pane = element("div", "", { className: "pane " + name + "-pane", tabIndex: 0 });
      pane.setAttribute("role", "region");
      pane.setAttribute("aria-label", words.say(name));
      pane.append(...inside);
      return pane;
    }));
    $("preview").textContent = evidence[0].querySelector(".text").textContent.slice(0, 200);
    $("votes").hidden = !item.votes.length;
    $("votes").querySelector("ul").replaceChildren(...item.votes.map((v) => element("li", v)));
    $("note").value = this.labels.get(item.id).note;
  }

  block(field, content) {
    const block = element("section", "", { className: field.role });
    block.classList.toggle("asked", field.name === "question");
    // textContent, never innerHTML: an item may hold anything.
    const text = element("p", content, { lang: field.lang, className: "text" });
    block.append(element("h3", this.words.say(field.name)), text);
    if (field.name === this.work.data.marked) {
      const hint = element("p", "", { className: "hint" });
      block.append(hint);
      this.marking.attach(text, content, hint);
    }
    return block;
  }

  /** Fold the evidence to a bar on a small screen: as chosen, else where the texts do not fit. */
  fold(chosen) {
    document.body.classList.remove("folded");
    const isLong = [...document.querySelectorAll(".pane:not(.texts-pane)")].some(
      (pane) => pane.scrollHeight > pane.clientHeight + 1);
    const isFolded = !isWide() && (chosen === null ? isLong : chosen === "0");
    document.body.classList.toggle("folded", isFolded);
    $("fold").setAttribute("aria-expanded", String(!isFolded));
    // Below a long question the judged text would be out of sight.
    document.querySelector(".output-pane .asked + .output")?.scrollIntoView({ block: "nearest" });
  }

  /** Show the guidelines over the item, on a small screen, or the item again. */
  sheet(isOpen) {
    this.isSheetOpen = isOpen;
    document.body.classList.toggle("sheet", isOpen);
    $("to-guidelines").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) $("guidelines").open = true;
  }

  /** Show or hide a part that a small screen has no room for: `menu` or `noting`. */
  toggle(part, isOpen = !document.body.classList.contains(part)) {
    document.body.classList.toggle(part, isOpen);
    $(part).setAttribute("aria-expanded", String(isOpen));
  }

  // ---- labels --------------------------------------------------------------------------------

  all(at, filter, reminder) {
    const { work, words, labels } = this;
    const record = labels.get(work.items[at].id);
    for (const button of $("questions").querySelectorAll(".answer"))
      button.setAttribute(
        "aria-pressed", String(record.answers[button.dataset.question] === button.value));
    $("unsure").setAttribute("aria-pressed", String(record.unsure));
    $("noting").classList.toggle("filled", record.note.trim() !== "");
    $("undo").disabled = !work.steps.length;
    this.marking?.show(work.judgement(record), record.spans);
    const count = work.counts();
    $("bar").max = count.all;
    $("bar").value = count.done;
    $("count").textContent = words.say("progress", count);
    const unsaved = work.unexported().length;
    $("unsaved").textContent = unsaved ? words.say("unsaved", { n: unsaved }) : "";
    $("bare").textContent = count.bare ? words.say("bare", count) : "";
    this.saved();
    for (const option of $("filter").options)
      option.textContent = words.say("filter_" + option.value) +
        " (" + words.number(work.shown(option.value).length) + ")";
    $("reminder").hidden = !reminder;
    if (reminder) $("reminder-text").textContent = words.say(reminder, { n: unsaved });
    if ($("overview").open) this.list(at, filter);
  }

  saved() {
    const { labels } = this;
    const state = !labels.copies ? "unsafe" : labels.isSaved ? "saved" : "saving";
    $("saved").dataset.state = state;
    $("saved").textContent = this.words.say(state);
    const warnings = [
      labels.copies === 2 ? "" : labels.copies ? "one_copy" : "no_storage",
      labels.isShared ? "two_tabs" : "",
    ].filter(Boolean).map((name) => this.words.say(name)).join(" ");
    $("warning").hidden = !warnings;
    // Said once, not at each label.
    if ($("warning").textContent !== warnings) $("warning").textContent = warnings;
  }

  list(at, filter) {
    const { work, words } = this;
    $("list").replaceChildren(...work.shown(filter).map((place) => {
      const { id } = work.items[place];
      const record = this.labels.get(id);
      const given = work.data.questions.map((q) =>
        record.answers[q.name] ? words.answer(q, record.answers[q.name]) : words.say("open"));
      const flags = [["no_mark", work.isBare(id)], ["unsure", record.unsure]]
        .filter(([, isSet]) => isSet).map(([name]) => " · " + words.say(name));
      const button = element("button", words.number(place + 1) + ": " + given.join(", ") + flags.join(""), {
        type: "button", value: String(place), className: work.isDone(id) ? "done" : "",
      });
      if (place === at) button.setAttribute("aria-current", "true");
      const line = document.createElement("li");
      line.append(button);
      return line;
    }));
  }
}
