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

  /** The place in the text below a point of the window; null if there is none. */
  placeAt(x, y) {
    const range = document.caretRangeFromPoint?.(x, y);
    const caret = range
      ? { offsetNode: range.startContainer, offset: range.startOffset }
      : document.caretPositionFromPoint?.(x, y);
    return caret ? this.placeOf(caret.offsetNode, caret.offset) : null;
  }

  /** The ends of the word around a place, or of the one it ends; null if there is none. */
  wordAt(place) {
    if (place === null) return null;
    const words = [...new Intl.Segmenter("bn", { granularity: "word" }).segment(this.text)]
      .filter(({ segment }) => segment.trim())
      .map(({ index, segment }) => [index, index + segment.length]);
    return words.find(([start, end]) => start <= place && place < end)
      ?? words.find(([, end]) => end === place) ?? null;
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
