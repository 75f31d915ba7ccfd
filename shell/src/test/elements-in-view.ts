type Report = (entries: readonly { readonly target: Element; readonly isIntersecting: boolean }[]) => void;

/** Takes the place of the browser's IntersectionObserver, which jsdom lacks: a test says what is in view. */
export class ElementsInView implements Pick<IntersectionObserver, 'observe'> {
  static readonly #all = new Set<ElementsInView>();
  readonly #report: Report;
  readonly #observed = new Set<Element>();

  static install(): void {
    Object.defineProperty(globalThis, 'IntersectionObserver', { configurable: true, value: ElementsInView });
  }

  /** Scrolls an element into view, or out of it, as far as it is observed. */
  static set(target: Element, isIntersecting: boolean): void {
    for (const observer of ElementsInView.#all)
      if (observer.#observed.has(target)) observer.#report([{ target, isIntersecting }]);
  }

  constructor(report: Report) {
    this.#report = report;
    ElementsInView.#all.add(this);
  }

  observe(element: Element): void {
    this.#observed.add(element);
  }
}
