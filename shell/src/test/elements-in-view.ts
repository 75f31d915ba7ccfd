type Report = (entries: readonly { readonly target: Element; readonly isIntersecting: boolean }[]) => void;

/** Mocks the browser's IntersectionObserver, which jsdom lacks: tests define which elements are visible. */
export class ElementsInView implements Pick<IntersectionObserver, 'observe'> {
  static readonly #all = new Set<ElementsInView>();
  readonly #report: Report;
  readonly #observed = new Set<Element>();

  static install(): void {
    Object.defineProperty(globalThis, 'IntersectionObserver', { configurable: true, value: ElementsInView });
  }

  /** Makes an observed element visible or invisible. */
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
