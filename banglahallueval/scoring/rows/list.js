/** Make an element. All text goes in through textContent, so no data becomes markup. */
function make(tag, className = "", text = "", attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== "") element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const OVERSCAN = 12; // rows made above and below those in sight

/**
 * A grid of any number of rows, of which only those in sight are in the page, and the one that has
 * the focus, wherever it is. Arrows, Page Up and Down, Home and End move; Enter opens.
 */
class RowList {
  constructor(grid, { build, open }) {
    Object.assign(this, { grid, build, open });
    this.head = grid.querySelector(".rows-head");
    this.body = grid.querySelector(".rows-body");
    this.shown = [];
    this.active = 0;
    this.made = new Map(); // place to element
    grid.addEventListener("scroll", () => this.#soon(), { passive: true });
    grid.addEventListener("keydown", (event) => this.#key(event));
    this.body.addEventListener("click", (event) => {
      const place = this.#placeOf(event.target);
      if (place !== null && getSelection().isCollapsed) { this.move(place); this.open(place); }
    });
    this.body.addEventListener("focusin", (event) => this.#activate(this.#placeOf(event.target)));
    new ResizeObserver(() => this.#measure()).observe(grid);
  }

  /** Show these rows, with the one at a place active. */
  show(shown, active = 0) {
    this.shown = shown;
    this.active = Math.max(0, Math.min(active, shown.length - 1));
    this.grid.hidden = !shown.length;
    this.grid.setAttribute("aria-rowcount", shown.length + 1);
    this.#clear();
    this.#measure();
    this.grid.scrollTop = 0;
    if (this.active) this.#reveal(this.active);
    this.render();
  }

  /** Make a row active, bring it into sight and give it the focus. */
  move(place) {
    const to = Math.max(0, Math.min(place, this.shown.length - 1));
    this.#reveal(to);
    this.#activate(to);
    this.render();
    this.made.get(to)?.focus({ preventScroll: true });
  }

  render() {
    const { scrollTop, clientHeight } = this.grid;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - OVERSCAN);
    const last = Math.min(this.shown.length, Math.ceil((scrollTop + clientHeight) / this.height) + OVERSCAN);
    for (const [place, element] of this.made) {
      if ((place < first || place >= last) && place !== this.active) {
        element.remove();
        this.made.delete(place);
      }
    }
    const wanted = [];
    for (let place = first; place < last; place++) wanted.push(place);
    if (this.shown.length && this.active < first) wanted.unshift(this.active);
    if (this.active >= last) wanted.push(this.active);
    // In order, for screen readers; what is there stays in its place, and so keeps the focus.
    let next = this.body.firstElementChild;
    for (const place of wanted) {
      const there = this.made.get(place);
      if (there) { next = there.nextElementSibling; continue; }
      const element = this.build(this.shown[place]);
      element.dataset.place = place;
      element.setAttribute("aria-rowindex", place + 2);
      element.tabIndex = place === this.active ? 0 : -1;
      element.style.transform = `translateY(${place * this.height}px)`;
      this.made.set(place, element);
      this.body.insertBefore(element, next);
    }
  }

  #soon() {
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.render(); });
  }

  #clear() {
    this.body.replaceChildren();
    this.made.clear();
  }

  /** Take over the height of a row, which depends on the page's width and the reader's fonts. */
  #measure() {
    const probe = make("div", "rows-row");
    this.body.append(probe);
    const height = probe.getBoundingClientRect().height;
    probe.remove();
    if (height && height !== this.height) {
      const top = this.height ? this.grid.scrollTop / this.height : 0;
      const hadFocus = this.body.contains(document.activeElement);
      this.height = height;
      this.#clear();
      this.body.style.height = `${this.shown.length * height}px`;
      this.grid.scrollTop = top * height;
      this.render();
      if (hadFocus) this.made.get(this.active)?.focus({ preventScroll: true });
    } else this.body.style.height = `${this.shown.length * this.height}px`;
    if (this.height) this.render();
  }

  #reveal(place) {
    const room = this.grid.clientHeight - this.head.offsetHeight;
    const top = place * this.height;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + this.height > this.grid.scrollTop + room) this.grid.scrollTop = top + this.height - room;
  }

  #activate(place) {
    if (place === null || place === this.active) return;
    this.made.get(this.active)?.setAttribute("tabindex", -1);
    this.active = place;
    this.made.get(place)?.setAttribute("tabindex", 0);
  }

  #placeOf(node) {
    const row = node.closest?.(".rows-row");
    return row ? Number(row.dataset.place) : null;
  }

  #key(event) {
    const place = this.#placeOf(event.target);
    if (place === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.height) - 1);
    const to = {
      ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + page, PageUp: place - page,
      Home: 0, End: this.shown.length - 1,
    }[event.key];
    if (to !== undefined) this.move(to);
    else if (event.key === "Enter" || event.key === " ") this.open(place);
    else return;
    event.preventDefault();
  }
}
