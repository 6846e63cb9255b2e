/** The page's exports, and how they are read again. */
const exportColumns = (data) => ["blind_id", ...data.questions.map((q) => q.name),
  ...(data.marked ? ["spans"] : []), "unsure", "note", "seconds", "annotator", "study", "sheet"];

// A spreadsheet would run a note that begins like a formula, and save what came of it.
const guarded = (note) => note.replace(/^(?='*[=+@-])/, "'");
const unguarded = (note) =>
  note.replace(/^'(?='*[=+@-])/, "").replaceAll(/\r\n?/g, "\n");

/** All items as rows of cells, below the names of the columns. */
function exportRows(work) {
  const { data } = work;
  const rows = work.items.map(({ id }) => {
    const record = work.labels.get(id);
    const marks = work.marks(record);
    // Blank is not marked: a yes without a mark, or no label; [] is a no, which has nothing to mark.
    const isMarked = marks.length || work.judgement(record) === "no";
    return [
      id, ...data.questions.map((q) => record.answers[q.name] ?? ""),
      ...(data.marked ? [isMarked ? JSON.stringify(marks) : ""] : []),
      record.unsure ? "yes" : "", guarded(record.note), record.seconds ? record.seconds.toFixed(1) : "",
      data.annotator, data.study, data.sheet,
    ];
  });
  return [exportColumns(data), ...rows];
}

/** Let the browser save a text as a file. */
function download(name, text) {
  const file = new Blob([text], { type: "text/csv;charset=utf-8" });
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(file), download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** What an exported file says of each item, as `found` by item; or the message why it says nothing. */
function readExport(work, text) {
  const { data } = work;
  const [header = [], ...rows] = parseCsv(text);
  const bad = (what) => ({ message: "import_bad", values: { what } });
  // Earlier files have no times, and those of a page that did not ask for marks no spans.
  const missing = exportColumns(data).find(
    (name) => !["spans", "seconds"].includes(name) && !header.includes(name));
  if (missing) return bad(missing);
  const found = new Map();
  for (const cells of rows) {
    const row = Object.fromEntries(header.map((name, place) => [name, (cells[place] ?? "").trim()]));
    if (row.sheet !== data.sheet || row.annotator !== data.annotator)
      return { message: "import_other" };
    const answers = {};
    for (const question of data.questions) {
      const answer = row[question.name].toLowerCase();
      if (answer && !question.answers.includes(answer))
        return bad(row.blind_id + ": " + row[question.name]);
      if (answer) answers[question.name] = answer;
    }
    const record = { answers, unsure: row.unsure.toLowerCase() === "yes", note: unguarded(row.note) };
    if (data.marked && row.spans !== undefined) {
      const marked = work.items.find((item) => item.id === row.blind_id)?.texts[data.marked] ?? "";
      record.spans = readSpans(row.spans, marked);
      if (!record.spans || (record.spans.length && work.judgement(record) !== "yes"))
        return bad(row.blind_id + ": " + row.spans);
    }
    const seconds = Number(row.seconds ?? "");
    if (!(seconds >= 0)) return bad(row.blind_id + ": " + row.seconds);
    if (seconds) record.seconds = seconds;
    if (Object.keys(answers).length || row.unsure || row.note) found.set(row.blind_id, record);
  }
  return { found };
}

/**
 * Take up what a file says; `agree` is asked, with their number, whether items that are labelled
 * otherwise here are replaced. Returns the number of items taken.
 */
function takeExport(work, found, agree) {
  const essence = (record) => JSON.stringify([
    work.data.questions.map((q) => record.answers[q.name] ?? ""), record.unsure,
    // Of what is imported, the ends have no white space.
    record.note.trim(), work.marks(record)]);
  const blank = essence({ answers: {}, unsure: false, note: "" });
  const mine = work.items.filter(({ id }) => found.has(id));
  const other = mine.filter(({ id }) => {
    const record = work.labels.get(id);
    const here = essence(record);
    return here !== blank && here !== essence({ ...record, ...found.get(id) });
  });
  const replaces = !other.length || agree(other.length);
  const taken = mine.filter((item) => replaces || !other.includes(item));
  if (taken.length)
    work.change(taken.map(({ id }) => [id, {
      ...found.get(id), exported: true,
      seconds: Math.max(work.labels.get(id).seconds, found.get(id).seconds ?? 0),
    }]));
  return taken.length;
}
