/** Labels by their code; 0 is for a judge that has no label of the row. */
const LABELS = ["", "yes", "no", "unknown"];
const CODES = { "-": 0, y: 1, n: 2, u: 3 };
const YES = 1, NO = 2, UNKNOWN = 3;

// Looking for what NFC may change is several times as fast as NFC, which Bengali signs make slow.
const NOT_NFC = /[\u09bc\u09dc\u09dd\u09df]|\u09c7[\u09be\u09d7]|[^\0-\u00bf\u0900-\u09ff\u2000-\u206f]/;

/** Text in the form in which it is searched: one form of য়, of digits, of case. */
function fold(text) {
  return (NOT_NFC.test(text) ? text.normalize("NFC") : text).toLowerCase()
    .replace(/[\u200b-\u200d\ufeff]+/g, "")
    .replace(/[০-৯]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x9e6 + 0x30));
}

/** The lines of text packed as gzip in base64. */
async function eachLine(base64, tell) {
  const step = 1 << 20; // whole groups of four
  let at = 0;
  const bytes = new ReadableStream({
    pull(controller) {
      if (at >= base64.length) { controller.close(); return; }
      const text = atob(base64.slice(at, at + step));
      const part = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) part[i] = text.charCodeAt(i);
      at += step;
      controller.enqueue(part);
    },
  });
  const reader = bytes.pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(new TextDecoderStream()).getReader();
  let begun = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = value.split("\n");
    while (parts.length > 1) {
      tell(begun.join("") + parts.shift());
      begun = [];
    }
    begun.push(parts[0]);
  }
}

/** What one judge said, by row. */
class Judge {
  constructor(packed, count) {
    this.name = packed.name;
    this.means = packed.means;
    this.labels = Uint8Array.from(packed.labels, (sign) => CODES[sign]);
    const empty = new Uint8Array(count);
    for (const name of ["reason", "raw", "findings", "claims"]) {
      this[name] = packed[name] ? Uint32Array.from(packed[name]) : empty;
    }
    this.p = packed.p ?? null;
    this.promptTokens = packed.prompt_tokens ?? null;
    this.completionTokens = packed.completion_tokens ?? null;
  }

  get hasTokens() { return Boolean(this.promptTokens || this.completionTokens); }

  /** Tokens of the request and the reply of a row, added up; null where they are not recorded. */
  tokens(row) {
    const [asked, said] = [this.promptTokens?.[row], this.completionTokens?.[row]];
    return asked == null && said == null ? null : (asked ?? 0) + (said ?? 0);
  }
}

/** All rows of the page: columns of places in one table of texts, and what each judge said. */
class Rows {
  constructor(head, texts) {
    this.texts = texts;
    this.count = head.row.length;
    this.number = Uint32Array.from(head.row);
    for (const name of Rows.COLUMNS) this[name] = Uint32Array.from(head[name]);
    this.judges = head.judges.map((packed) => new Judge(packed, this.count));
    const candidates = texts.indexOf("candidates");
    this.expected = Uint8Array.from(this.track, (track) => track === candidates ? YES : NO);
    this.asked = new Uint16Array(this.count); // judges that have a label of the row
    this.wrong = new Uint16Array(this.count);
    for (const { labels } of this.judges) {
      for (let row = 0; row < this.count; row++) {
        this.asked[row] += Number(labels[row] !== 0);
        this.wrong[row] += Number(isWrong(labels[row], this.expected[row]));
      }
    }
    this.folded = new Array(texts.length);
    this.names = this.#unique();
    this.byName = new Map(this.names.map((name, row) => [name, row]));
  }

  text(column, row) { return this.texts[this[column][row]]; }

  /** The different texts of a column, sorted. */
  values(column) {
    return [...new Set(this[column])].map((place) => this.texts[place]).filter(Boolean).sort();
  }

  foldedText(place) { return this.folded[place] ??= fold(this.texts[place]); }

  /** A name of each row that holds in any page of the same files, and is short in a link. */
  #unique() {
    const seen = new Map();
    return Array.from(this.number, (number, row) => {
      const name = `${this.text("task", row)}.${this.text("track", row)}.${number}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      return times > 1 ? `${name}.${times}` : name;
    });
  }
}
Rows.COLUMNS = ["task", "track", "id", "source_id", "pattern", "evidence", "question", "output", "right"];

/** Whether a label is a yes or no against what the track makes of the row. */
function isWrong(label, expected) { return (label === YES || label === NO) && label !== expected; }

/** Unpack the rows, telling how far it is from 0 to 1. */
async function readRows(base64, tell) {
  let head = null;
  const texts = [];
  await eachLine(base64, (line) => {
    if (!head) { head = JSON.parse(line); return; }
    for (const text of JSON.parse(line)) texts.push(text);
    tell(texts.length / head.texts);
  });
  if (!head || texts.length !== head.texts) throw new Error("the data in this page is cut off");
  return new Rows(head, texts);
}
