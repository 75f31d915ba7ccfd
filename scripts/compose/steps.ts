import type { TestCounts } from '../test-results.ts';

/** Attempts one after the other, counted as tests. */
export class Steps {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };

  get hasFailed(): boolean {
    return this.#counts.failed > 0;
  }

  get counts(): TestCounts {
    return this.#counts;
  }

  /** Runs an attempt; its error is printed, and does not end the run. Its result is a note for the log. */
  async run(title: string, attempt: () => Promise<string>): Promise<void> {
    const started = performance.now();
    const log = (mark: string, note: string) =>
      console.log(`  ${mark} ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)  ${note}`);
    try {
      const note = await attempt();
      this.#counts.passed += 1;
      log('✓', note);
    } catch (error) {
      this.#counts.failed += 1;
      log('✗', error instanceof Error ? error.message : String(error));
    }
  }

  skip(title: string, reason: string): void {
    this.#counts.skipped += 1;
    console.log(`  - ${title}: ${reason}`);
  }

  /** Adds what another runner counted. */
  add({ passed, failed, skipped }: TestCounts): void {
    this.#counts.passed += passed;
    this.#counts.failed += failed;
    this.#counts.skipped += skipped;
  }
}
