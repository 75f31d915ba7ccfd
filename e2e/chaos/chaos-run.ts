import { type ReleaseVariant, variantOf } from '@daybook/testing/releases';
import type { Browser } from '@playwright/test';
import { ChaosSite, until } from './chaos-site.ts';
import { chaosVersion } from './chaos-version.ts';
import type { Fault } from './faulty-origin.ts';
import { othersWork, pathOf, type Shown, Visitor } from './visitor.ts';

/** What a case says when it went as it should: what a visitor of the failing remote saw, and how it ended. */
export interface Outcome {
  readonly seen: string;
  readonly recovery: string;
}

/** One remote of a site whose origin fails in one way after the other, while the others go on. */
export class ChaosRun {
  readonly remote: string;
  readonly site: ChaosSite;
  readonly browser: Browser;
  #versions = 0;
  /** The last good release that visitors get. */
  #good: ReleaseVariant;

  constructor(remote: string, remotes: readonly string[], browser: Browser) {
    this.remote = remote;
    this.browser = browser;
    this.site = new ChaosSite(remotes);
    this.#good = this.built;
  }

  get built(): ReleaseVariant {
    const built = this.site.built.get(this.remote);
    if (!built) throw new Error(`${this.remote} is not built.`);
    return built;
  }

  get good(): string {
    return this.#good.release.version;
  }

  get path(): string {
    return pathOf[this.remote] ?? '/';
  }

  /** A release that there has not been yet. */
  next(edit?: (content: string, file: string) => string): ReleaseVariant {
    return variantOf(this.built, this.nextVersion(), edit);
  }

  nextVersion(): string {
    this.#versions += 1;
    return chaosVersion(this.#versions);
  }

  offer(release: ReleaseVariant, fault?: Fault): void {
    this.site.origin(this.remote).offer(release, fault);
  }

  /** Offers a good release, and waits until visitors get it. */
  async releaseGood(): Promise<void> {
    const release = this.next();
    this.offer(release);
    await this.site.untilActive(this.remote, release.release.version);
    this.#good = release;
  }

  /** Opens a page of the remote as a new visitor would. */
  async visit(prepare: (visitor: Visitor) => Promise<unknown> = async () => undefined): Promise<Shown> {
    const visitor = await Visitor.arrive(this.browser, this.site);
    try {
      await prepare(visitor);
      return await visitor.open(this.path);
    } finally {
      await visitor.leave();
    }
  }

  /** Fails unless every other remote shows its page to a new visitor. */
  othersWork(): Promise<void> {
    return othersWork(this.browser, this.site, this.remote);
  }

  /** Fails unless a new visitor gets the last good release. */
  async showsLastGood(): Promise<string> {
    const shown = await this.visit();
    if (shown.kind !== 'page' || shown.release !== `${this.remote}@${this.good}`)
      throw new Error(`showed ${shown.kind} ${shown.release} instead of ${this.remote}@${this.good}`);
    return 'last good release';
  }

  /** A release is offered with a fault; the last good one stays, and the next good one is taken. */
  async refuses(release: ReleaseVariant, fault: Fault | undefined, reason: string): Promise<Outcome> {
    const labels = { remote: this.remote, reason };
    const before = await this.site.metric('daybook_release_problems_total', labels);
    this.offer(release, fault);
    await until(
      `a problem “${reason}” of ${this.remote} is counted`,
      async () => (await this.site.metric('daybook_release_problems_total', labels)) > before,
    );
    const seen = await this.showsLastGood();
    await this.othersWork();
    await this.releaseGood();
    return { seen: `${seen}; ${reason}`, recovery: 'next release taken' };
  }
}
