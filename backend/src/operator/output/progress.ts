/** How often a terminal shows how far it is, and how often a log does, in ms. */
const terminalInterval = 200;
const logInterval = 10_000;

/** Deletes the line that the cursor stands in. */
const eraseLine = '\r\u001b[K';

/**
 * Tells how far a long command is: on a terminal in one line that changes, elsewhere in a line every ten seconds, so
 * that what is quick leaves nothing in a log.
 */
export class Progress {
  private readonly interval: number;
  private toldAt: number;
  private isShown = false;

  /** @param clock gives ms */
  constructor(
    private readonly errors: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.interval = errors.isTTY ? terminalInterval : logInterval;
    this.toldAt = clock();
  }

  /** @param line gives how far it is; asked only when it is time */
  tell(line: () => string): void {
    const now = this.clock();
    if (now - this.toldAt < this.interval) return;
    this.toldAt = now;
    this.isShown = true;
    this.errors.write(this.errors.isTTY ? `${eraseLine}${line()}` : `${line()}\n`);
  }

  /** Leaves the terminal as if nothing had been told. */
  end(): void {
    if (this.isShown && this.errors.isTTY) this.errors.write(eraseLine);
    this.isShown = false;
  }
}
