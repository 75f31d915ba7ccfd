/** What is written on, such as the standard output. */
interface Output {
  write(text: string): unknown;
}

/** A line is written after this long at the latest, in ms. */
const longestWait = 50;
/** Characters that are kept back at most. */
const mostCharacters = 16_384;

/** Writes lines together: under load, one write of many lines costs hardly more than that of one. */
export class CollectedLines {
  readonly #output: Output;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= mostCharacters) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), longestWait).unref();
  }

  /** Writes what is left. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#output.write(lines);
  }
}

/** The standard output. What is left is written when the process ends, also by an error; SIGKILL takes it with it. */
export const standardOutput = new CollectedLines(process.stdout);
process.once('exit', () => standardOutput.flush());
