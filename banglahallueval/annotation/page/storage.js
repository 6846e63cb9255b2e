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

/** The second copy: records by prefix and item, in IndexedDB. */
class DatabaseCopy {
  /** `told` is called whenever a write has ended. */
  constructor(prefix, told) {
    Object.assign(this, { prefix, told, works: true, waiting: new Map(), isWriting: false });
    this.opening = new Promise((resolve, reject) => {
      const asked = indexedDB.open("banglahallueval", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("items");
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
    this.opening.catch(() => { this.works = false; told(); });
  }

  get isSaved() { return this.works && !this.waiting.size && !this.isWriting; }

  /** All records, by item. */
  async read() {
    const all = (await this.opening).transaction("items").objectStore("items")
      .getAll(IDBKeyRange.bound(this.prefix, this.prefix + "\uffff"));
    return new Promise((resolve, reject) => {
      all.onsuccess = () => resolve(new Map(all.result.map((record) => [record.id, record])));
      all.onerror = () => reject(all.error);
    });
  }

  /** Write a record, together with those that wait for the disk. */
  async write(id, record) {
    this.waiting.set(id, { ...record, id });
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.size) {
      const batch = this.waiting;
      this.waiting = new Map();
      try {
        await this.commit(batch, await this.opening);
        this.works = true;
      } catch {
        // They wait for the next press, which tries again.
        this.waiting = new Map([...batch, ...this.waiting]);
        this.works = false;
        break;
      }
    }
    this.isWriting = false;
    this.told();
  }

  commit(batch, database) {
    return new Promise((resolve, reject) => {
      const writing = database.transaction("items", "readwrite", { durability: "strict" });
      writing.oncomplete = resolve;
      writing.onabort = () => reject(writing.error);
      const store = writing.objectStore("items");
      for (const [id, record] of batch) {
        const held = store.get(this.prefix + id);
        // Another tab may have written a later change.
        held.onsuccess = () => {
          if (!held.result || isNewer(record, held.result)) store.put(record, this.prefix + id);
        };
      }
    });
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

  /** What is known of an item: answers by question, marked spans, flag, note, seconds it was read. */
  get(id) {
    const nothing = {
      answers: {}, spans: [], unsure: false, note: "", exported: true, seconds: 0, n: 0, at: 0,
    };
    return { ...nothing, ...this.records.get(id) };
  }

  /** Save a change in both copies at once; it counts as not exported unless it says otherwise. */
  set(id, change) {
    this.early?.push([id, change]);
    const record = this.get(id);
    this.keep(id, { ...record, exported: false, ...change, n: record.n + 1, at: Date.now() });
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
    for (const [id, record] of this.records)
      if (!found.has(id) || isNewer(record, found.get(id))) this.second.write(id, record);
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
