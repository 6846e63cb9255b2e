/** The columns that rows are sorted by, each with the value of a row; null where it has none. */
function sortColumns(rows) {
  const collator = new Intl.Collator("bn", { numeric: true });
  const texts = (title, column) => {
    // Each text's rank is worked out once, so that 20,000 rows are sorted by numbers.
    let ranks = null;
    const value = (row) => {
      ranks ??= new Map([...new Set(rows[column])]
        .sort((a, b) => collator.compare(rows.texts[a], rows.texts[b]))
        .map((place, rank) => [place, rank]));
      return rows[column][row] ? ranks.get(rows[column][row]) : null;
    };
    return { title, value };
  };
  const columns = new Map([
    ["", { title: "file order", value: (row) => row }],
    ["wrong", { title: "judges wrong", value: (row) => rows.wrong[row] }],
    ["row", { title: "row number", value: (row) => rows.number[row] }],
    ["id", texts("id", "id")],
    ["task", texts("task", "task")],
    ["track", texts("track", "track")],
    ["pattern", texts("pattern", "pattern")],
    ["question", texts("question", "question")],
    ["output", texts("output", "output")],
    ["evidence", texts("evidence", "evidence")],
    ["right", texts("right answer", "right")],
  ]);
  for (const judge of rows.judges) {
    if (judge.p) columns.set("p:" + judge.name, { title: `${judge.name}: p`, value: (row) => judge.p[row] });
    columns.set("label:" + judge.name,
      { title: `${judge.name}: label`, value: (row) => judge.labels[row] || null });
    if (judge.hasTokens) {
      columns.set("tokens:" + judge.name,
        { title: `${judge.name}: tokens`, value: (row) => judge.tokens(row) });
    }
  }
  return columns;
}

/** What a judge may be asked for, by the name that links use. */
const VERDICTS = new Map([
  ["yes", ["says yes", (label) => label === YES]],
  ["no", ["says no", (label) => label === NO]],
  ["unknown", ["is unknown", (label) => label === UNKNOWN]],
  ["wrong", ["is wrong", isWrong]],
  ["right", ["is right", (label, expected) => label === expected]],
  ["absent", ["has no label", (label) => !label]],
]);
const BECAUSE = "unknown:"; // and its reason
const WHOSE = new Map([
  ["any", ["any judge", (judges, holds) => judges.some(holds)]],
  ["every", ["every judge", (judges, holds) => judges.every(holds)]],
  ["none", ["no judge", (judges, holds) => !judges.some(holds)]],
]);
const ONE = "="; // and the name of a judge

/** Why labels are unknown, each reason once, sorted. */
function reasons(rows) {
  const places = new Set(rows.judges.flatMap((judge) => [...new Set(judge.reason)]));
  return [...places].map((place) => rows.texts[place]).filter(Boolean).sort();
}

/** The test of one row that a condition on judges stands for; null for what the page lacks. */
function judgeTest(rows, [who, what]) {
  let holds;
  if (what.startsWith(BECAUSE)) {
    const reason = rows.texts.indexOf(what.slice(BECAUSE.length));
    holds = (judge, row) => judge.labels[row] === UNKNOWN && judge.reason[row] === reason;
  } else if (VERDICTS.has(what)) {
    const [, test] = VERDICTS.get(what);
    holds = (judge, row) => test(judge.labels[row], rows.expected[row]);
  } else return null;
  if (WHOSE.has(who)) {
    const [, join] = WHOSE.get(who);
    return (row) => join(rows.judges, (judge) => holds(judge, row));
  }
  const judge = rows.judges.find(({ name }) => ONE + name === who);
  return judge ? (row) => holds(judge, row) : null;
}

/** The test of whether a row holds a text anywhere a reader sees it; each text is searched once. */
function textTest(rows, wanted) {
  const sought = fold(wanted);
  const known = new Uint8Array(rows.texts.length); // 1 without it, 2 with it
  const holds = (place) => {
    if (!known[place]) known[place] = rows.foldedText(place).includes(sought) ? 2 : 1;
    return known[place] === 2;
  };
  const columns = ["id", "source_id", "output", "right", "question", "evidence"].map((name) => rows[name]);
  columns.push(...rows.judges.map((judge) => judge.raw));
  return (row) => columns.some((column) => holds(column[row]));
}

/** The rows that a view shows, in its order. */
function select(rows, view, columns) {
  const tests = [];
  for (const name of ["task", "track", "pattern"]) {
    if (!view[name]) continue;
    const place = rows.texts.indexOf(view[name]);
    tests.push((row) => rows[name][row] === place);
  }
  if (view.least) tests.push((row) => rows.wrong[row] >= Number(view.least));
  if (view.most) tests.push((row) => rows.wrong[row] <= Number(view.most));
  for (const condition of view.judges) {
    const test = judgeTest(rows, condition);
    if (test) tests.push(test);
  }
  if (view.text.trim()) tests.push(textTest(rows, view.text.trim())); // last: the dearest
  const found = [];
  for (let row = 0; row < rows.count; row++) {
    if (tests.every((test) => test(row))) found.push(row);
  }
  const column = columns.get(view.sort);
  if (!view.sort && !view.order) return found;
  // A row without a value comes last, whichever the order.
  const way = view.order ? -1 : 1;
  const keys = new Float64Array(rows.count);
  for (const row of found) keys[row] = way * (column.value(row) ?? way * Infinity);
  return found.sort((a, b) => keys[a] < keys[b] ? -1 : Number(keys[a] > keys[b]));
}
