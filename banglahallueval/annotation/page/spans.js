/**
 * Marking on the page: its button, its keys, and what it tells.
 * A selection marks nothing by itself, for on a phone its ends are still being dragged; the button
 * or a key does. Marks belong to the answer yes, so that marking cannot change how items are judged.
 */
class Marking {
  /** `save(spans, message, values)` keeps marks and tells a message; `tell` and `say` are the page's. */
  constructor(save, tell, say) {
    Object.assign(this, { save, tell, say, isOpen: false, isPicking: false, spans: [] });
    this.button = Object.assign(document.createElement("button"), { type: "button", id: "mark" });
    // A tap may end the selection before it becomes a click.
    let held = null;
    this.button.addEventListener("pointerdown", () => { held = this.text.selected(); });
    this.button.addEventListener("click", (event) => {
      const byPointer = event.detail > 0;
      this.press(this.text.selected() ?? (byPointer ? held : null), !byPointer);
    });
  }

  /** Take up the text of an item that is shown from now on, and its hint. */
  attach(node, text, hint) {
    Object.assign(this, { text: new MarkedText(node, text), hint, isPicking: false, spans: null });
    this.button.textContent = this.say("mark");
    node.tabIndex = -1;
    node.addEventListener("blur", () => this.endPicking());
    let held = null;
    node.addEventListener("pointerdown", () => { held = this.text.ends(); });
    node.addEventListener("click", (event) => {
      if (this.isOpen && event.pointerType === "touch" && !event.target.closest("mark"))
        this.tap(this.text.placeAt(event.clientX, event.clientY), held);
    });
  }

  /** Select the word under a finger; with a word selected before, all from there to here. */
  tap(place, held) {
    const word = this.text.wordAt(place);
    if (!word) return;
    const ends = held && held[0] !== held[1] ? held : word;
    const [from, to] = [Math.min(...ends), Math.max(...ends)];
    // A tap on what is selected begins anew.
    const isInside = ends !== word && from <= word[0] && word[1] <= to;
    if (isInside) this.text.select(...word);
    else this.text.select(Math.min(from, word[0]), Math.max(to, word[1]));
    this.tell("mark_selected", { text: getSelection().toString() });
  }

  /** Show what is marked, and whether anything can be. */
  show(answer, spans) {
    this.isOpen = answer === "yes";
    this.button.disabled = !this.isOpen;
    this.hint.textContent = answer === "no" ? "" : this.say(this.isOpen ? "mark_hint" : "mark_later");
    const shown = this.isOpen ? spans : [];
    // Shown again, the text would lose a selection in it.
    if (JSON.stringify(shown) === JSON.stringify(this.spans)) return;
    this.spans = shown;
    this.text.show(shown, (words, span) => this.makeMark(words, span));
  }

  makeMark(words, span) {
    const mark = Object.assign(document.createElement("mark"), {
      textContent: words, tabIndex: 0, role: "button", title: this.say("mark_remove"),
    });
    const remove = () => {
      this.save(this.spans.filter((other) => other !== span), "mark_removed", { text: words });
      this.text.node.focus({ preventScroll: true });
    };
    // Dragging over a mark selects; it is no click on it.
    mark.addEventListener("click", () => { if (!this.text.selected()) remove(); });
    mark.addEventListener("keydown", (event) => {
      if (!["Backspace", "Delete", "Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      remove();
    });
    return mark;
  }

  /** Mark what is selected; without a selection, let the keyboard make one. */
  press(span = this.text.selected(), byKeyboard = true) {
    if (!this.isOpen) this.tell("mark_later");
    else if (span) this.mark(span);
    else if (byKeyboard) this.pick();
    else this.tell("mark_nothing");
  }

  mark(span) {
    const [start, end] = span.map((points) => placeAfter(this.text.text, points));
    this.save(
      mergeSpans([...this.spans, span]), "marked", { text: this.text.text.slice(start, end) });
    if (this.isPicking) this.text.select(start, end);
    else getSelection().removeAllRanges();
  }

  // ---- selecting with the keyboard -------------------------------------------------------------

  pick() {
    getSelection().removeAllRanges();
    this.beginPicking();
    this.step("word", true, false);
    this.tell("mark_keys");
  }

  beginPicking() {
    this.isPicking = true;
    // A screen reader leaves the arrows to an application.
    this.text.node.role = "application";
    this.text.node.ariaLabel = this.say("mark_keys");
    this.text.node.focus({ preventScroll: true });
  }

  endPicking() {
    this.isPicking = false;
    this.text.node.role = this.text.node.ariaLabel = null;
  }

  step(granularity, forward, extend) {
    this.text.step(granularity, forward, extend);
    const box = getSelection().getRangeAt(0).getBoundingClientRect();
    const pane = this.text.node.closest(".pane");
    const seen = pane.getBoundingClientRect();
    if (box.top < seen.top || box.bottom > seen.bottom)
      pane.scrollBy(0, box.top - seen.top - seen.height / 3);
    this.tell("mark_selected", { text: getSelection().toString() });
  }

  /** Use a key that selects or marks; says whether it was one. */
  onKey(event) {
    if (!this.isOpen || event.metaKey) return false;
    const arrow = /^Arrow(Left|Right|Up|Down)$/.exec(event.key)?.[1];
    if (arrow && !this.isPicking && event.shiftKey && this.text.selected()) this.beginPicking();
    if (!this.isPicking) return false;
    if (arrow) {
      const byWord = event.ctrlKey || event.altKey;
      const granularity = /Up|Down/.test(arrow) ? "sentence" : byWord ? "word" : "grapheme";
      this.step(granularity, /Right|Down/.test(arrow), event.shiftKey);
    } else if (event.key === "Enter") this.press();
    else if (event.key === "Escape") this.text.node.blur();
    else return false;
    return true;
  }
}
