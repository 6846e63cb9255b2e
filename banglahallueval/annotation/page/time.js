/**
 * The time an item is read: while the page is visible and somebody is there. A pause between two
 * signs of life longer than two minutes counts as two minutes.
 */
class ActiveTime {
  constructor() {
    Object.assign(this, { milliseconds: 0, last: null });
    // A page may be opened in a tab that nobody sees yet.
    this.count();
    for (const sign of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"])
      document.addEventListener(sign, () => this.count(), { capture: true, passive: true });
  }

  count() {
    const now = performance.now();
    if (this.last !== null) this.milliseconds += Math.min(now - this.last, 120000);
    this.last = document.visibilityState === "visible" ? now : null;
  }

  /** The seconds since this was last asked, to a tenth; what is left of them counts next time. */
  take() {
    this.count();
    const tenths = Math.floor(this.milliseconds / 100);
    this.milliseconds -= tenths * 100;
    return tenths / 10;
  }
}
