const EVIDENCE = { reasoning: "Problem", summarization: "Document" };

/** What a judge says of a row in a few signs: right or wrong, its label, its p. */
function verdictOf(rows, judge, row) {
  const label = judge.labels[row];
  const sign = !label ? "–" : label === UNKNOWN ? "?" : label === rows.expected[row] ? "✓" : "✗";
  const kind = { "✓": "right", "✗": "wrong" }[sign] ?? "rows-unknown";
  const p = judge.p?.[row] ?? null;
  return { sign, kind, label: LABELS[label], p: p === null ? "" : p.toFixed(2) };
}

/** The panel that shows all of one row. */
class Details {
  constructor(dialog, rows) {
    Object.assign(this, { dialog, rows });
    this.title = dialog.querySelector("h3");
    this.inside = dialog.querySelector(".rows-inside");
  }

  show(row) {
    const { rows } = this;
    const of = (name) => rows.text(name, row);
    this.title.textContent = [of("task"), of("track"), of("pattern"), `row ${rows.number[row]}`]
      .filter(Boolean).join(" · ");
    const places = this.#places(row);
    this.inside.replaceChildren();
    const ids = [["id", of("id")], ["source", of("source_id")]].filter(([, id]) => id);
    if (ids.length) this.inside.append(make("p", "note", ids.map((each) => each.join(" ")).join(" · ")));
    this.inside.append(this.#verdicts(row));
    if (of("task") !== "reasoning") this.#part("Question", [of("question")], of("question"));
    this.#outputs(row, places.output);
    this.#part(EVIDENCE[of("task")] ?? "Context", markedText(of("evidence"), places.evidence), of("evidence"));
    this.#legend(places);
    for (const judge of rows.judges) if (judge.labels[row]) this.#judge(judge, row);
    if (!this.dialog.open) this.dialog.showModal();
    this.inside.scrollTop = 0;
  }

  #part(title, nodes, text, into = this.inside) {
    if (!text) return;
    const words = make("p", "text");
    words.append(...nodes);
    const part = make("div", "rows-part");
    part.append(make("h4", "", title), words);
    into.append(part);
  }

  #verdicts(row) {
    const list = make("ul", "rows-verdicts");
    for (const judge of this.rows.judges) {
      const { sign, kind, label, p } = verdictOf(this.rows, judge, row);
      if (label) list.append(make("li", kind, `${sign} ${judge.name}: ${label} ${p}`.trim()));
    }
    return list;
  }

  #outputs(row, marks) {
    const { rows } = this;
    const [output, right] = [rows.text("output", row), rows.text("right", row)];
    const expected = LABELS[rows.expected[row]];
    const title = `Output under judgement (hallucinated: ${expected})`;
    if (!right) { this.#part(title, markedText(output, marks), output); return; }
    const compared = differences(output, right);
    const pair = make("div", "rows-pair");
    this.#part(title, markedText(output, [...marks, ...(compared?.[0] ?? [])]), output, pair);
    this.#part("Right answer", markedText(right, compared?.[1] ?? []), right, pair);
    this.inside.append(pair);
    const said = compared ? "Words that only one of them has are underlined."
      : "These texts are too long for their words to be compared here.";
    this.inside.append(make("p", "note", said));
  }

  #legend({ output, evidence }) {
    const kinds = new Map([
      ["rows-unsupported", "unsupported, says a judge"],
      ["rows-cited", "cited as support"],
      ["rows-against", "what speaks against it"],
    ]);
    const there = new Set([...output, ...evidence].map((mark) => mark[2]));
    if (!there.size) return;
    const legend = make("p", "note", "Colours: ");
    for (const [kind, said] of kinds) {
      if (there.has(kind)) legend.append(make("mark", kind, said), " ");
    }
    this.inside.append(legend);
  }

  #judge(judge, row) {
    const { rows } = this;
    const { sign, kind, label, p } = verdictOf(rows, judge, row);
    const part = make("section", "rows-judge");
    const head = make("h4");
    head.append(make("span", kind, `${sign} ${judge.name}`), ` says ${label}${p && `, p ${judge.p[row]}`}`);
    part.append(head);
    const reason = rows.texts[judge.reason[row]];
    if (reason) part.append(make("p", "note", `unknown because: ${reason}`));
    part.append(...this.#tokens(judge, row));
    const points = make("ul");
    for (const [, , why] of this.#read(judge.findings, row)) points.append(make("li", "", why));
    for (const [claim, status, cited] of this.#read(judge.claims, row)) {
      const quotes = cited.map((text) => `“${text}”`).join(" … ");
      points.append(make("li", "", `${status || "no status"}: ${claim}${quotes && ` (${quotes})`}`));
    }
    if (points.children.length) part.append(points);
    const raw = rows.texts[judge.raw[row]];
    if (raw) part.append(make("p", "text rows-raw", raw));
    this.inside.append(part);
  }

  #tokens(judge, row) {
    const [asked, said] = [judge.promptTokens?.[row], judge.completionTokens?.[row]];
    const number = (value) => value == null ? "?" : value.toLocaleString("en");
    if (asked != null || said != null) {
      return [make("p", "note", `tokens: ${number(asked)} asked, ${number(said)} replied`)];
    }
    const mean = judge.means[this.rows.text("task", row)];
    if (!mean) return [];
    return [make("p", "note", `tokens: ${number(mean[0])} asked, ${number(mean[1])} replied, on average of its run`)];
  }

  /** The marks of output and evidence that judges give. */
  #places(row) {
    const { rows } = this;
    const [output, evidence] = [rows.text("output", row), rows.text("evidence", row)];
    const [inOutput, inEvidence] = [placeFinder(output), placeFinder(evidence)];
    const found = { output: [], evidence: [] };
    for (const judge of rows.judges) {
      for (const [start, end, why] of this.#read(judge.findings, row)) {
        const title = `${judge.name}: ${why}`;
        const own = start < 0 ? "" : output.slice(inOutput(start), inOutput(end));
        if (start >= 0) found.output.push([inOutput(start), inOutput(end), "rows-unsupported", title]);
        for (const place of quotedPlaces(why, own, evidence)) {
          found.evidence.push([...place, "rows-against", title]);
        }
      }
      for (const [claim, status, , places] of this.#read(judge.claims, row)) {
        const kind = status === "contradicted" ? "rows-against" : "rows-cited";
        for (const [start, end] of places) {
          found.evidence.push([inEvidence(start), inEvidence(end), kind,
            `${judge.name}: ${status}: ${claim}`]);
        }
      }
    }
    return found;
  }

  #read(column, row) {
    const text = this.rows.texts[column[row]];
    return text ? JSON.parse(text) : [];
  }
}
