/** The items and their labels: what is done, where to go next, and what can be undone. */
class Work {
  constructor(data, labels) { Object.assign(this, { data, labels, items: data.items, steps: [] }); }

  judgement(record) { return record.answers[this.data.questions[0].name]; }

  /** Marks belong to a yes; those of an answer that was changed are kept aside. */
  marks(record) { return this.judgement(record) === "yes" ? record.spans : []; }

  isDone(id) {
    const { answers } = this.labels.get(id);
    return this.data.questions.every((question) => answers[question.name]);
  }

  /** Whether an item was answered yes but has no mark. */
  isBare(id) {
    const record = this.labels.get(id);
    return Boolean(this.data.marked) && this.judgement(record) === "yes" && !record.spans.length;
  }

  counts() {
    const done = this.items.filter(({ id }) => this.isDone(id)).length;
    const bare = this.items.filter(({ id }) => this.isBare(id)).length;
    return { done, all: this.items.length, left: this.items.length - done, bare };
  }

  unexported() {
    return this.items.map(({ id }) => this.labels.get(id)).filter((record) => !record.exported);
  }

  // ---- changing --------------------------------------------------------------------------------

  /** Save changes by item, as one step that can be undone. */
  change(changes) {
    // What is not changed here may be changed in another tab before this is undone.
    const before = changes.map(([id, change]) => {
      const record = this.labels.get(id);
      const fields = ["answers", "spans", "unsure", "note"].filter((name) => name in change);
      return [id, Object.fromEntries(fields.map((name) => [name, record[name]]))];
    });
    // Letters of a note typed without leaving it are one step.
    const fields = changes.flatMap(([, change]) => Object.keys(change));
    const kind = fields.includes("note") && changes.length === 1 ? "note:" + changes[0][0] : "";
    if (!kind || kind !== this.steps.at(-1)?.kind) this.steps.push({ before, kind });
    for (const [id, change] of changes) this.labels.set(id, change);
  }

  /** What follows is another step, whatever it changes. */
  endStep() { if (this.steps.length) this.steps.at(-1).kind = ""; }

  /** Undo the last step; returns the item it changed, undefined if there is none. */
  undo() {
    const step = this.steps.pop();
    for (const [id, record] of step?.before ?? []) this.labels.set(id, record);
    return step?.before[0][0];
  }

  // ---- moving ----------------------------------------------------------------------------------

  matches(place, filter) {
    const { id } = this.items[place];
    const record = this.labels.get(id);
    return {
      all: true, open: !this.isDone(id), unsure: record.unsure, notes: record.note.trim() !== "",
    }[filter];
  }

  /** The places that a filter shows. */
  shown(filter) { return [...this.items.keys()].filter((place) => this.matches(place, filter)); }

  /** The next place that lacks a label, else a mark, round past the end; undefined if none does. */
  nextOpen(at) {
    const order = [...this.items.keys()].map((step) => (at + 1 + step) % this.items.length);
    return order.find((place) => !this.isDone(this.items[place].id))
      ?? order.find((place) => this.isBare(this.items[place].id));
  }
}
