/** What was given to a command: words after its name, and options. */
export class Given {
  constructor(
    readonly words: readonly string[],
    private readonly options: Readonly<Record<string, unknown>>,
  ) {}

  /** The value of an option that takes one, in the words of whoever typed it. */
  text(name: string): string | undefined {
    const value = this.options[name];
    return typeof value === 'string' ? value : undefined;
  }

  has(name: string): boolean {
    return this.options[name] === true;
  }
}
