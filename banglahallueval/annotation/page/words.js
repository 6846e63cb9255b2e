/** What the page says, in one of its languages, with that language's digits. */
class Words {
  constructor(strings, lang) { Object.assign(this, { strings, lang }); }

  number(value) {
    return new Intl.NumberFormat(this.lang === "bn" ? "bn-BD" : "en").format(value);
  }

  say(name, values = {}) {
    return this.strings[this.lang][name].replace(/\{(\w+)\}/g, (_, key) =>
      typeof values[key] === "number" ? this.number(values[key]) : String(values[key]));
  }

  answer(question, answer) {
    return question.scale ? this.number(Number(answer)) : this.say(answer);
  }
}
