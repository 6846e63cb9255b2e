const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 44rem)");

/** The cells of a row of the list: one beside the other, or all in one on a narrow screen. */
class Cells {
  constructor(rows, columns, sort) {
    Object.assign(this, { rows, columns, sort });
    this.heads = [["row", "Row"], ["id", "Id"], ["task", "Task"], ["track", "Track"],
      ["pattern", "Pattern"], ["output", "Output"], ["wrong", "Wrong"],
      ...rows.judges.map(({ name, p }) => [(p ? "p:" : "label:") + name, name])];
  }

  /** The header; its buttons sort, once by the column, then the other way round. */
  head(view) {
    const line = make("div", "rows-line", "", { role: "row", "aria-rowindex": 1 });
    const judges = this.rows.judges.length;
    for (const [at, [name, title]] of this.heads.entries()) {
      const cell = make("div", "rows-cell", "", { role: "columnheader" });
      if (name === view.sort) cell.setAttribute("aria-sort", view.order ? "descending" : "ascending");
      const arrow = name === view.sort ? (view.order ? " ↓" : " ↑") : "";
      const button = make("button", "", title + arrow, { type: "button" });
      if (at >= this.heads.length - judges) button.title = `Sort by ${this.columns.get(name).title}`;
      button.addEventListener("click", () => this.sort(name));
      cell.append(button);
      line.append(cell);
    }
    return line;
  }

  row(row) {
    const { rows } = this;
    const line = make("div", "rows-row rows-line", "", { role: "row" });
    const cell = (className, text) => make("div", `rows-cell ${className}`, text, { role: "gridcell" });
    const of = (name) => rows.text(name, row);
    const wrong = `${rows.wrong[row]}/${rows.asked[row]}`;
    const verdicts = rows.judges.map((judge) => [judge, verdictOf(rows, judge, row)]);
    if (!narrow.matches) {
      line.append(cell("rows-number", String(rows.number[row])), cell("", of("id")),
        cell("", of("task")), cell("", of("track")), cell("", of("pattern")),
        cell("", of("output")), cell("rows-number", wrong));
      for (const [, { sign, kind, label, p }] of verdicts) {
        line.append(cell(`rows-vote ${kind}`, [sign, label, p].filter(Boolean).join(" ")));
      }
      return line;
    }
    const card = make("div", "rows-card", "", { role: "gridcell" });
    const what = [`${wrong} wrong`, `row ${rows.number[row]}`, of("task"), of("track"), of("pattern")];
    card.append(make("div", "rows-what", what.filter(Boolean).join(" · ")),
      make("div", "rows-brief", of("output")));
    const signs = make("div", "rows-signs");
    const told = verdicts.filter(([, { label }]) => label)
      .sort(([, one], [, other]) => (one.kind === "right") - (other.kind === "right"));
    for (const [judge, { sign, kind }] of told) signs.append(make("span", kind, `${sign} ${judge.name}`), " ");
    card.append(signs);
    line.append(card);
    return line;
  }
}

/** Filters, list, panel and link of the rows. */
class Viewer {
  constructor(rows) {
    this.rows = rows;
    this.columns = sortColumns(rows);
    this.form = $("rows-filters");
    this.conditions = $("rows-conditions");
    this.view = emptyView();
    this.cells = new Cells(rows, this.columns, (name) => this.sortBy(name));
    this.list = new RowList($("rows-list"),
      { build: (row) => this.cells.row(row), open: (place) => this.open(place) });
    this.details = new Details($("rows-details"), rows);
    this.#fill();
    this.#listen();
    this.#restore(readView(location.hash) ?? emptyView());
    if (location.hash.startsWith(`#${PLACE}&`)) $(PLACE).scrollIntoView();
    this.#foldWhenIdle(0);
  }

  // ---- the form -------------------------------------------------------------------------------

  #fill() {
    const { rows, form } = this;
    const options = (select, pairs) => select.append(
      ...pairs.map(([value, text]) => make("option", "", text, { value })));
    for (const name of ["task", "track", "pattern"]) {
      options(form.elements[name], rows.values(name).map((value) => [value, value]));
    }
    const numbers = Array.from({ length: rows.judges.length + 1 }, (_, number) => [number, String(number)]);
    options(form.elements.least, numbers);
    options(form.elements.most, numbers);
    options(form.elements.sort, [...this.columns].map(([name, { title }]) => [name, title]));
    $("rows-more").open = !narrow.matches;
    $("rows-list").style.setProperty("--judges", rows.judges.length);
    $("rows-list").classList.toggle("rows-few", rows.judges.length <= 3);
    $("rows-list").setAttribute("aria-colcount", narrow.matches ? 1 : this.cells.heads.length);
  }

  #addCondition([who, what] = ["any", ""]) {
    const line = make("div", "rows-condition");
    const whose = make("select", "", "", { name: "who", "aria-label": "Judge" });
    const says = make("select", "", "", { name: "says", "aria-label": "What the judge says" });
    const remove = make("button", "", "×", { type: "button", "aria-label": "Remove this condition", title: "Remove" });
    const option = (value, text) => make("option", "", text, { value });
    whose.append(...[...WHOSE].map(([value, [text]]) => option(value, text)),
      ...this.rows.judges.map(({ name }) => option(ONE + name, name)));
    says.append(option("", "says anything"), ...[...VERDICTS].map(([value, [text]]) => option(value, text)));
    const why = reasons(this.rows);
    if (why.length) {
      const because = make("optgroup", "", "", { label: "is unknown because" });
      because.append(...why.map((reason) => option(BECAUSE + reason, `unknown: ${reason}`)));
      says.append(because);
    }
    [whose.value, says.value] = [who, what];
    remove.addEventListener("click", () => {
      line.remove();
      if (!this.conditions.children.length) this.#addCondition();
      $("rows-add").focus();
      this.#changed();
    });
    line.append(whose, says, remove);
    this.conditions.append(line);
    return whose;
  }

  #listen() {
    this.form.addEventListener("input", () => this.#changed());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    $("rows-add").addEventListener("click", () => this.#addCondition().focus());
    $("rows-clear").addEventListener("click", () => this.#restore(emptyView()));
    $("rows-csv").addEventListener("click", () => download(csvOf(this.rows, this.list.shown), "rows.csv"));
    $("rows-link").addEventListener("click", () => this.#copyLink());
    addEventListener("hashchange", () => {
      const view = readView(location.hash);
      if (view && location.hash !== `#${PLACE}`) this.#restore(view);
    });
    narrow.addEventListener("change", () => {
      $("rows-list").setAttribute("aria-colcount", narrow.matches ? 1 : this.cells.heads.length);
      this.list.show(this.list.shown, this.list.active);
    });
    const { dialog } = this.details;
    dialog.addEventListener("close", () => this.#closed());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && !event.altKey && !event.ctrlKey && !event.metaKey) this.#step(step);
    });
    $("rows-previous").addEventListener("click", () => this.#step(-1));
    $("rows-next").addEventListener("click", () => this.#step(1));
    $("rows-close").addEventListener("click", () => dialog.close());
  }

  // ---- the view -------------------------------------------------------------------------------

  #changed() {
    this.#say("");
    const read = new FormData(this.form);
    for (const name of PARTS) if (name !== "row") this.view[name] = read.get(name) ?? "";
    const says = read.getAll("says");
    this.view.judges = read.getAll("who").map((who, at) => [who, says[at]]);
    this.#apply();
    this.#write();
  }

  sortBy(name) {
    const isAgain = this.view.sort === name;
    this.form.elements.sort.value = name;
    this.form.elements.order.value = isAgain && !this.view.order ? "desc" : "";
    this.#changed();
    $("rows-list").querySelector("[aria-sort] button")?.focus();
  }

  #restore(view) {
    const dropped = dropUnknown(view, this.rows, this.columns);
    this.#say(dropped && `This page does not have all that the link names: ${dropped}.`);
    this.view = view;
    for (const name of PARTS) if (name !== "row") this.form.elements[name].value = view[name];
    this.conditions.replaceChildren();
    for (const condition of view.judges.length ? view.judges : [undefined]) this.#addCondition(condition);
    this.#apply();
    const place = view.row ? this.list.shown.indexOf(this.rows.byName.get(view.row)) : -1;
    if (place >= 0) { this.list.move(place); this.open(place); }
    else {
      if (view.row) this.#say(`The filters leave out the row that the link names: ${view.row}.`);
      view.row = "";
      if (this.details.dialog.open) this.details.dialog.close();
      if (location.hash.startsWith(`#${PLACE}`)) this.#write();
    }
  }

  #apply() {
    const { rows, view, list } = this;
    const shown = select(rows, view, this.columns);
    $("rows-list").querySelector(".rows-head").replaceChildren(this.cells.head(view));
    list.show(shown);
    $("rows-shown").textContent =
      `${shown.length.toLocaleString("en")} of ${rows.count.toLocaleString("en")} rows`;
    $("rows-none").hidden = shown.length > 0;
    const used = ["task", "track", "pattern", "least", "most"].filter((name) => view[name]).length +
      view.judges.filter(([, what]) => what).length;
    $("rows-used").textContent = used ? ` (${used})` : "";
  }

  #write() { history.replaceState(null, "", writeView(this.view)); }

  #say(text) { $("rows-said").textContent = text; }

  async #copyLink() {
    this.#write();
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say("Link copied.");
    } catch { // not allowed here
      const field = make("input", "", "", { readonly: "", "aria-label": "Link to this view" });
      field.value = location.href;
      $("rows-said").replaceChildren("Copy this link: ", field);
      field.select();
    }
  }

  // ---- one row --------------------------------------------------------------------------------

  open(place) {
    const row = this.list.shown[place];
    this.place = place;
    this.view.row = this.rows.names[row];
    this.details.show(row);
    $("rows-position").textContent =
      `${(place + 1).toLocaleString("en")} of ${this.list.shown.length.toLocaleString("en")}`;
    $("rows-previous").disabled = place === 0;
    $("rows-next").disabled = place === this.list.shown.length - 1;
    this.#write();
  }

  #step(by) {
    const place = this.place + by;
    if (place >= 0 && place < this.list.shown.length) this.open(place);
  }

  #closed() {
    this.view.row = "";
    this.#write();
    if (this.list.shown.length) this.list.move(this.place);
  }

  /** Bring the texts into the form that is searched, a little at a time, before anyone searches. */
  #foldWhenIdle(from) {
    const { texts } = this.rows;
    const soon = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
    if (from >= texts.length) return;
    soon(() => {
      let [place, size] = [from, 0];
      for (; place < texts.length && size < 200_000; place++) {
        size += texts[place].length;
        this.rows.foldedText(place);
      }
      this.#foldWhenIdle(place);
    });
  }
}

async function start() {
  const status = $("rows-status");
  if (!window.DecompressionStream) {
    status.textContent = "This browser cannot unpack the rows; open the page in a newer one " +
      "(Chrome or Edge 80, Firefox 113, Safari 16.4).";
    return;
  }
  status.textContent = "Reading the rows…";
  const tell = (share) => { status.textContent = `Reading the rows… ${Math.round(100 * share)} %`; };
  const data = $("rows-data");
  try {
    const rows = await readRows(data.textContent, tell);
    data.remove();
    $("rows-viewer").hidden = false;
    new Viewer(rows);
    status.textContent = "";
  } catch (error) {
    $("rows-viewer").hidden = true;
    status.textContent = `The rows of this page cannot be read: ${error.message}. Write the page again.`;
    throw error;
  }
}
start();
