/**
 * Labels in this browser: one entry per item, so that two open tabs never write over each other.
 * The prefix holds study, form, annotator and sheet, for all files opened from disk share a storage.
 */
class Labels {
  constructor(data) {
    const parts = [data.study, data.form, data.annotator, data.sheet];
    this.prefix = "banglahallueval:" + parts.map(encodeURIComponent).join(":") + ":";
    this.memory = new Map();
    this.works = true;
    try {
      localStorage.setItem(this.prefix + "~", "1");
      localStorage.removeItem(this.prefix + "~");
    } catch { this.works = false; }
  }

  read(name) {
    if (!this.works) return this.memory.get(name) ?? null;
    return localStorage.getItem(this.prefix + name);
  }

  write(name, value) {
    this.memory.set(name, value);
    if (!this.works) return;
    try { localStorage.setItem(this.prefix + name, value); } catch {
      // Full: keep everything in memory from here on, and say so.
      for (const key of Object.keys(localStorage)) {
        const own = key.startsWith(this.prefix) && key.slice(this.prefix.length);
        if (own && !this.memory.has(own)) this.memory.set(own, localStorage.getItem(key));
      }
      this.works = false;
    }
  }

  /** What is known of an item: its answers by question, the marked spans, the unsure flag, the note. */
  get(id) {
    const nothing = { answers: {}, spans: [], unsure: false, note: "", exported: true };
    return { ...nothing, ...JSON.parse(this.read("item:" + id) ?? "{}") };
  }

  /** Save a change at once; it counts as not exported. */
  set(id, change) {
    const record = { ...this.get(id), exported: false, ...change };
    this.write("item:" + id, JSON.stringify(record));
  }
}
