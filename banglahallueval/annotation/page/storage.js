/**
 * Labels in this browser, in two copies: localStorage, which is written before the next press but
 * reaches the disk seconds later, and IndexedDB, which says when a label is on the disk. A record
 * counts its changes, so that of two copies the newer one is known.
 */
const isNewer = (record, other) =>
  record.n !== other.n ? record.n > other.n : record.at > other.at;

/** The first copy, and what the page remembers besides: text by name, in localStorage. */
class LocalCopy {
  constructor(prefix) {
    Object.assign(this, { prefix, memory: new Map(), works: true });
    try {
      localStorage.setItem(prefix + "~", "1");
      localStorage.removeItem(prefix + "~");
    } catch { this.works = false; }
  }

  read(name) {
    if (this.memory.has(name)) return this.memory.get(name);
    try { return localStorage.getItem(this.prefix + name); } catch { return null; }
  }

  write(name, value) {
    this.memory.set(name, value);
    try {
      for (const [key, text] of this.memory) {
        localStorage.setItem(this.prefix + key, text);
        this.memory.delete(key);
      }
      this.works = true;
    } catch {
      // Full or forbidden: what is left stays in memory, and is tried again.
      this.works = false;
    }
  }

  /** The record of an item; null where there is none that can be read. */
  record(id) {
    try { return { n: 0, at: 0, ...JSON.parse(this.read("item:" + id) ?? "") }; } catch { return null; }
  }
}

/**
 * The second copy: records by prefix and item, in IndexedDB. A record is handed over at once without
 * waiting for the disk, so that it outlives the browser; after a pause, what was handed over is
 * written again and flushed to the disk, so that it outlives the machine.
 */
class DatabaseCopy {
  /** `told` is called whenever the state of saving may have changed. */
  constructor(prefix, told) {
    Object.assign(this, { prefix, told, works: true, waiting: new Map(), pause: 0 });
    this.opening = new Promise((resolve, reject) => {
      const asked = indexedDB.open("banglahallueval", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("items");
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
    this.opening.then((database) => { this.database = database; }, () => this.fail());
    // Some browsers never answer; should one do so later, what waits is written then.
    setTimeout(() => { if (!this.database) this.fail(); }, 5000);
  }

  get isSaved() { return this.works && !this.waiting.size; }

  fail() { this.works = false; this.told(); }

  /** All records, by item. */
  async read() {
    const all = (await this.opening).transaction("items").objectStore("items")
      .getAll(IDBKeyRange.bound(this.prefix, this.prefix + "\uffff"));
    return new Promise((resolve, reject) => {
      all.onsuccess = () => resolve(new Map(all.result.map((record) => [record.id, record])));
      all.onerror = () => reject(all.error);
    });
  }

  write(id, record) {
    this.waiting.set(id, { ...record, id });
    if (this.database) this.put([[id, this.waiting.get(id)]], "relaxed");
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.flush(), 150);
  }

  /** Write what waits to the disk; what fails waits for the next press, which tries again. */
  async flush() {
    await this.opening.catch(() => null);
    const batch = [...this.waiting];
    if (!this.database || !batch.length) return;
    const writing = this.put(batch, "strict");
    if (!writing) return;
    writing.oncomplete = () => {
      for (const [id, record] of batch)
        if (this.waiting.get(id) === record) this.waiting.delete(id);
      this.works = true;
      this.told();
    };
  }

  put(batch, durability) {
    try {
      const writing = this.database.transaction("items", "readwrite", { durability });
      writing.onabort = () => this.fail();
      for (const [id, record] of batch) writing.objectStore("items").put(record, this.prefix + id);
      // Nothing is asked of what was put: the browser need not hear from the page again.
      writing.commit?.();
      return writing;
    } catch {
      this.fail();
      return null;
    }
  }
}

/**
 * The labels of one page. The prefix holds study, form, annotator and sheet, not the file's place:
 * all files opened from disk share a storage, and one that is moved finds its labels again.
 */
class Labels {
  /** `changed` is called with an item whose record came from elsewhere, or with nothing. */
  constructor(data, changed) {
    const parts = [data.study, data.form, data.annotator, data.sheet];
    this.prefix = "banglahallueval:" + parts.map(encodeURIComponent).join(":") + ":";
    Object.assign(this, { changed, early: [], restored: 0, isShared: false });
    this.first = new LocalCopy(this.prefix);
    this.records = new Map();
    for (const { id } of data.items) {
      const record = this.first.record(id);
      if (record) this.records.set(id, record);
    }
    this.second = new DatabaseCopy(this.prefix, changed);
    this.joining = this.join();
    this.meetTabs();
  }

  read(name) { return this.first.read(name); }
  write(name, value) { this.first.write(name, value); }

  /** Whether labels outlive this page: in both copies, in one of them, or in none. */
  get copies() { return Number(this.first.works) + Number(this.second.works); }

  /** Whether everything has reached the disk, or as near to it as this browser can tell. */
  get isSaved() { return this.second.works ? this.second.isSaved : this.first.works; }

  /**
   * What is known of an item: answers by question, marked spans, flag, note, seconds it was in use;
   * the number and time of its last change, and since when it has had changes not exported.
   */
  get(id) {
    const nothing = {
      answers: {}, spans: [], unsure: false, note: "", exported: true, seconds: 0, n: 0, at: 0, since: 0,
    };
    return { ...nothing, ...this.records.get(id) };
  }

  /** Save a change in both copies at once; it counts as not exported unless it says otherwise. */
  set(id, change) {
    this.early?.push([id, change]);
    const record = this.get(id);
    const at = Date.now();
    const since = record.exported ? at : record.since;
    this.keep(id, { ...record, exported: false, ...change, n: record.n + 1, at, since });
  }

  keep(id, record) {
    this.records.set(id, record);
    this.first.write("item:" + id, JSON.stringify(record));
    this.second.write(id, record);
    this.channel?.postMessage({ id, record });
  }

  /** Take from the second copy what the first one lacks, and bring the second one up to date. */
  async join() {
    const found = await this.second.read().catch(() => new Map());
    const early = this.early;
    this.early = null;
    for (const [id, record] of found) {
      const mine = this.first.record(id) ?? { n: -1 };
      const pressed = early.filter(([other]) => other === id);
      const before = { ...mine, n: mine.n - pressed.length };
      if (!isNewer(record, before)) continue;
      this.restored += 1;
      this.records.set(id, record);
      // What was pressed while this copy was read comes on top of it.
      if (pressed.length) for (const [, change] of pressed) this.set(id, change);
      else this.first.write("item:" + id, JSON.stringify(record));
    }
    const isHeld = (id, record) =>
      JSON.stringify({ ...record, id }) === JSON.stringify(found.get(id));
    for (const [id, record] of this.records) if (!isHeld(id, record)) this.second.write(id, record);
    this.changed();
  }

  /** Pass changes between tabs with this page, and know whether there are any. */
  meetTabs() {
    try { this.channel = new BroadcastChannel(this.prefix); } catch { return; }
    this.channel.onmessage = ({ data }) => {
      if (data.record && isNewer(data.record, this.get(data.id))) {
        this.records.set(data.id, data.record);
        this.changed(data.id);
      } else if (data.tab) {
        if (data.tab === "opened") this.channel.postMessage({ tab: "here" });
        this.isShared = data.tab !== "closed";
        // A third one answers.
        if (!this.isShared) this.channel.postMessage({ tab: "opened" });
        this.changed();
      }
    };
    this.channel.postMessage({ tab: "opened" });
    window.addEventListener("pagehide", () => this.channel.postMessage({ tab: "closed" }));
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.channel.postMessage({ tab: "opened" });
    });
  }
}
