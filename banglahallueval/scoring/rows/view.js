/** The parts of a view that are one text each. */
const PARTS = ["text", "task", "track", "pattern", "least", "most", "sort", "order", "row"];
const PLACE = "rows"; // the section's id: a link to a view is a link to the section, too

function emptyView() {
  return { ...Object.fromEntries(PARTS.map((name) => [name, ""])), judges: [] };
}

/** The view as the fragment of a link. */
function writeView(view) {
  const written = new URLSearchParams();
  for (const name of PARTS) if (view[name]) written.append(name, view[name]);
  for (const [who, what] of view.judges) {
    if (what) { written.append("judge", who); written.append("says", what); }
  }
  const text = written.toString();
  return text ? `#${PLACE}&${text}` : `#${PLACE}`;
}

/** The view of a fragment; null where it is none of ours. */
function readView(fragment) {
  if (fragment !== `#${PLACE}` && !fragment.startsWith(`#${PLACE}&`)) return null;
  const read = new URLSearchParams(fragment.slice(PLACE.length + 2));
  const view = emptyView();
  for (const name of PARTS) view[name] = read.get(name) ?? "";
  const says = read.getAll("says");
  view.judges = read.getAll("judge").slice(0, says.length).map((who, at) => [who, says[at]]);
  return view;
}

/** What stands in a view that this page does not have, taken out of it; empty for nothing. */
function dropUnknown(view, rows, columns) {
  const dropped = [];
  const drop = (name) => { dropped.push(`${name} ${view[name]}`); view[name] = ""; };
  for (const name of ["task", "track", "pattern"]) {
    if (view[name] && !rows.values(name).includes(view[name])) drop(name);
  }
  for (const name of ["least", "most"]) {
    if (view[name] && !(Number(view[name]) >= 0 && Number(view[name]) <= rows.judges.length)) drop(name);
  }
  if (!columns.has(view.sort)) drop("sort");
  if (!["", "desc"].includes(view.order)) drop("order");
  if (view.row && !rows.byName.has(view.row)) drop("row");
  const why = reasons(rows);
  view.judges = view.judges.filter((condition) => {
    const [who, what] = condition;
    const isKnown = judgeTest(rows, condition) &&
      (!what.startsWith(BECAUSE) || why.includes(what.slice(BECAUSE.length)));
    if (!isKnown) dropped.push(`${WHOSE.get(who)?.[0] ?? who.replace(ONE, "")} ${what}`);
    return isKnown;
  });
  return dropped.join(", ");
}

/** The rows as CSV (RFC 4180) with the BOM that makes spreadsheets read it as UTF-8. */
function csvOf(rows, shown) {
  const quoted = (cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const header = ["task", "track", "row", "id", "source_id", "pattern", "expected", "judges_wrong", "question",
    "evidence", "output", "right_answer"];
  for (const judge of rows.judges) {
    header.push(`label ${judge.name}`, `p ${judge.name}`, `unknown_reason ${judge.name}`,
      `raw_response ${judge.name}`);
    if (judge.hasTokens) header.push(`prompt_tokens ${judge.name}`, `completion_tokens ${judge.name}`);
  }
  const line = (cells) => cells.map((cell) => quoted(String(cell ?? ""))).join(",") + "\r\n";
  const cells = (row) => {
    const made = [rows.text("task", row), rows.text("track", row), rows.number[row],
      ...["id", "source_id", "pattern"].map((name) => rows.text(name, row)),
      LABELS[rows.expected[row]], rows.wrong[row],
      ...["question", "evidence", "output", "right"].map((name) => rows.text(name, row))];
    for (const judge of rows.judges) {
      made.push(LABELS[judge.labels[row]], judge.p?.[row], rows.texts[judge.reason[row]],
        rows.texts[judge.raw[row]]);
      if (judge.hasTokens) made.push(judge.promptTokens?.[row], judge.completionTokens?.[row]);
    }
    return made;
  };
  return new Blob(["\uFEFF", line(header), ...Array.from(shown, (row) => line(cells(row)))],
    { type: "text/csv;charset=utf-8" });
}

/** Hand a file to the reader. */
function download(blob, name) {
  const link = make("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
