const MOST_COMPARED = 4_000_000; // pairs of words
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Where code points of a text stand in it, as JavaScript counts. */
function placeFinder(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (points) => points;
  const places = [0];
  for (const sign of text) places.push(places.at(-1) + sign.length);
  return (points) => places[points];
}

/** A text as nodes, with marks [start, end, class, title], which may overlap. */
function markedText(text, marks) {
  const edges = [...new Set([0, text.length, ...marks.flatMap(([start, end]) => [start, end])])];
  edges.sort((a, b) => a - b);
  const nodes = [];
  for (let at = 0; at + 1 < edges.length; at++) {
    const [start, end] = [edges[at], edges[at + 1]];
    const over = marks.filter((mark) => mark[0] <= start && end <= mark[1]);
    const piece = text.slice(start, end);
    if (!over.length) { nodes.push(piece); continue; }
    const mark = make("mark", [...new Set(over.map((each) => each[2]))].join(" "), piece);
    const titles = [...new Set(over.map((each) => each[3]).filter(Boolean))];
    if (titles.length) mark.title = titles.join("\n");
    nodes.push(mark);
  }
  return nodes;
}

/** The marks of the words in which two texts differ, for each of them; null where they are too long. */
function differences(one, other) {
  const words = [one, other].map((text) => [...text.matchAll(WORD)]
    .map((found) => ({ start: found.index, end: found.index + found[0].length, word: fold(found[0]) })));
  const [a, b] = words;
  if (a.length * b.length > MOST_COMPARED) return null;
  // common[i][j]: how many words the rest of both texts have in common, in order.
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i].word === b[j].word ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const alone = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i].word === b[j].word) { i++; j++; }
    else if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      alone[0].push(a[i++]);
    } else alone[1].push(b[j++]);
  }
  return alone.map((those) => those.map(({ start, end }) => [start, end, "rows-differs", ""]));
}

/** The words of the evidence that a finding quotes, where they stand in it exactly once. */
function quotedPlaces(reason, own, evidence) {
  const places = [];
  for (const [, quoted] of reason.matchAll(/(?<![\p{L}\p{M}])'([^']{2,200})'/gu)) {
    if (quoted === own) continue;
    const first = evidence.indexOf(quoted);
    if (first >= 0 && evidence.indexOf(quoted, first + 1) < 0) {
      places.push([first, first + quoted.length]);
    }
  }
  return places;
}
