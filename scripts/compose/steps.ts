import { existsSync, readFileSync } from 'node:fs';
import type { TestCounts } from '../test-results.ts';

type Outcome = 'passed' | 'failed' | 'skipped';

/** Something that was tried, how it ended, and in words what was found or why it failed. */
interface Step {
  readonly title: string;
  readonly outcome: Outcome;
  /** In ms. */
  readonly duration: number;
  readonly note: string;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
      readonly results: readonly { readonly duration: number; readonly error?: { readonly message?: string } }[];
    }[];
  }[];
  readonly title: string;
}

const outcomeOf = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colors of a terminal.
const colors = /\u001b\[[\d;]*m/g;
/** As many characters of a message as a line of the table has room for. */
const noteLength = 200;

const firstLine = (text: string) => (text.replace(colors, '').split('\n')[0] ?? '').slice(0, noteLength);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What was tried one after the other, and how it ended. */
export class Steps {
  readonly #steps: Step[] = [];

  get hasFailed(): boolean {
    return this.#steps.some(({ outcome }) => outcome === 'failed');
  }

  get counts(): TestCounts {
    const number = (wanted: Outcome) => this.#steps.filter(({ outcome }) => outcome === wanted).length;
    return { passed: number('passed'), failed: number('failed'), skipped: number('skipped') };
  }

  /**
   * Tries something; what it throws is told in full, and does not end the run.
   *
   * @param attempt gives what was found, for the table
   */
  async run(title: string, attempt: () => Promise<string>): Promise<void> {
    const started = performance.now();
    const add = (outcome: Outcome, note: string) => {
      this.#steps.push({ title, outcome, duration: performance.now() - started, note });
      console.log(`  ${outcome === 'passed' ? '✓' : '✗'} ${title}  ${outcome === 'passed' ? note : ''}`);
    };
    try {
      add('passed', await attempt());
    } catch (error) {
      console.error(messageOf(error));
      add('failed', firstLine(messageOf(error)));
    }
  }

  /** Adds something that was not tried. */
  skip(title: string, reason: string): void {
    this.#steps.push({ title, outcome: 'skipped', duration: 0, note: reason });
  }

  /** Adds what Playwright's JSON reporter wrote. */
  addPlaywright(file: string): void {
    if (!existsSync(file)) {
      this.#steps.push({ title: 'tests in a browser', outcome: 'failed', duration: 0, note: 'they could not run' });
      return;
    }
    const { suites, errors } = JSON.parse(readFileSync(file, 'utf8'));
    for (const { message } of errors)
      this.#steps.push({ title: 'tests in a browser', outcome: 'failed', duration: 0, note: firstLine(message) });
    for (const suite of suites) this.#addSuite(suite, '');
  }

  #addSuite({ suites = [], specs }: PlaywrightSuite, prefix: string): void {
    for (const { title, tests } of specs)
      for (const { status, results, annotations } of tests) {
        const duration = results.reduce((sum, result) => sum + result.duration, 0);
        const reason = annotations.find(({ type }) => type === 'skip')?.description ?? '';
        const error = results.find((result) => result.error)?.error?.message ?? '';
        const note = outcomeOf[status] === 'failed' ? firstLine(error) : reason;
        this.#steps.push({ title: prefix + title, outcome: outcomeOf[status], duration, note });
      }
    for (const suite of suites) this.#addSuite(suite, `${suite.title}: `);
  }

  /** Every step in a line, with a heading. */
  table(): readonly string[] {
    const rows = this.#steps.map(({ title, outcome, duration, note }) => [
      title,
      outcome.toUpperCase(),
      `${(duration / 1000).toFixed(1)} s`,
      note,
    ]);
    const all = [['STEP', 'OUTCOME', 'TIME', ''], ...rows];
    const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
    const lines = all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    return ['', ...lines];
  }
}
