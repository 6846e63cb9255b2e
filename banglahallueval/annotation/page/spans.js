/** Marked stretches count code points of the raw text, as Python does; JavaScript counts UTF-16. */
const pointsBefore = (text, place) => [...text.slice(0, place)].length;
const placeAfter = (text, points) => [...text].slice(0, points).join("").length;

/** Spans in order; those that overlap or touch become one. */
function mergeSpans(spans) {
  const merged = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** The spans of an exported cell; null if they are not spans of the text. */
function readSpans(cell, text) {
  let spans;
  try { spans = JSON.parse(cell || "[]"); } catch { return null; }
  const length = [...text].length;
  const isSpan = (span) => Array.isArray(span) && span.length === 2 &&
    span.every(Number.isInteger) && 0 <= span[0] && span[0] < span[1] && span[1] <= length;
  return Array.isArray(spans) && spans.every(isSpan) ? mergeSpans(spans) : null;
}

/** A text on the page in which stretches are selected and shown as marked. */
class MarkedText {
  constructor(node, text) { Object.assign(this, { node, text }); }

  /** Show the text with its marks, each an element that `makeMark` makes of its words and span. */
  show(spans, makeMark) {
    let at = 0;
    const pieces = [];
    for (const span of spans) {
      const [start, end] = span.map((points) => placeAfter(this.text, points));
      pieces.push(this.text.slice(at, start), makeMark(this.text.slice(start, end), span));
      at = end;
    }
    this.node.replaceChildren(...pieces, this.text.slice(at));
  }

  /** The place of a point of the document in the text, one outside it being at an end of it. */
  placeOf(container, offset) {
    const range = document.createRange();
    range.selectNodeContents(this.node);
    const side = range.comparePoint(container, offset);
    if (side) return side < 0 ? 0 : this.text.length;
    range.setEnd(container, offset);
    return range.toString().length;
  }

  /** The places where the selection begins and ends, in the direction it was made; null if none. */
  ends() {
    const { rangeCount, anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
    if (!rangeCount) return null;
    return [this.placeOf(anchorNode, anchorOffset), this.placeOf(focusNode, focusOffset)];
  }

  /** The selected span: no white space at its ends, no cluster split; null if nothing is selected. */
  selected() {
    let [start, end] = (this.ends() ?? [0, 0]).sort((a, b) => a - b);
    while (start < end && /\s/.test(this.text[start])) start++;
    while (start < end && /\s/.test(this.text[end - 1])) end--;
    if (start === end) return null;
    // A vowel sign, joiner or modifier stays with its base.
    for (const { index, segment } of new Intl.Segmenter().segment(this.text)) {
      const after = index + segment.length;
      if (index < start && start < after) start = index;
      if (index < end && end < after) end = after;
    }
    return [start, end].map((place) => pointsBefore(this.text, place));
  }

  select(anchor, focus) {
    const point = (place) => {
      const walker = document.createTreeWalker(this.node, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && place > walker.currentNode.length)
        place -= walker.currentNode.length;
      return [walker.currentNode, place];
    };
    getSelection().setBaseAndExtent(...point(anchor), ...point(focus));
  }

  /** Select the next piece (grapheme, word, sentence); with `extend` add it to the selection. */
  step(granularity, forward, extend) {
    const [anchor, focus] = this.ends() ?? [0, 0];
    const from = extend ? focus : forward ? Math.max(anchor, focus) : Math.min(anchor, focus);
    const pieces = [...new Intl.Segmenter("bn", { granularity }).segment(this.text)]
      .filter(({ segment }) => segment.trim())
      .map(({ index, segment }) => [index, index + segment.trimEnd().length]);
    const piece = forward
      ? pieces.find(([, end]) => end > from) : pieces.findLast(([start]) => start < from);
    if (!piece) return;
    const [start, end] = piece;
    const near = forward ? Math.max(start, from) : Math.min(end, from);
    this.select(extend ? anchor : near, forward ? end : start);
  }
}

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
    if (box.top < 0 || box.bottom > this.button.getBoundingClientRect().top)
      window.scrollBy(0, box.top - window.innerHeight / 3);
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
