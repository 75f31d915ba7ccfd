import {
  type RegisteredRelease,
  type RegisteredRemote,
  type RemoteIndex,
  remoteIndexUrl,
} from '@daybook/contract/release';
import { handWrittenEntry, integrityOf } from '@daybook/runner/releases';
import type { Page } from '@playwright/test';
import { test as base } from './test.ts';

/** Behavior of the page of a generated release. */
type PageBehavior = { readonly heading: string } | 'throws while rendering' | 'its entry throws';

const entryFile = 'remoteEntry.00000001.js';

/** Returns the source of a page component; `React` is the shell's. */
function componentOf(behavior: PageBehavior): string {
  if (behavior === 'its entry throws') return `(() => { throw new Error('The entry is broken.'); })()`;
  if (behavior === 'throws while rendering') return `() => { throw new TypeError('The page is broken.'); }`;
  return `() => React.createElement('h1', null, ${JSON.stringify(behavior.heading)})`;
}

/** Overrides the releases that the test's browser sees, and records the reports of its pages. */
export class Releases {
  /** Reports of failed releases so far, as sent. */
  readonly reports: unknown[] = [];
  /** Number of polls for new releases. */
  polls = 0;
  readonly #page: Page;
  #change = (remote: RegisteredRemote): RegisteredRemote => remote;

  constructor(page: Page) {
    this.#page = page;
  }

  async watch(): Promise<void> {
    await this.#page.route('**/_reports', async (route) => {
      this.reports.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    });
    await this.#page.route(`**${remoteIndexUrl}`, async (route) => {
      this.polls += 1;
      const index = (await (await route.fetch()).json()) as RemoteIndex;
      await route.fulfill({ json: { ...index, remotes: index.remotes.map((remote) => this.#change(remote)) } });
    });
  }

  /** Overrides values of a remote in the remote index from now on. */
  change(name: string, changes: Partial<RegisteredRemote>): void {
    const before = this.#change;
    this.#change = (remote) => (remote.name === name ? { ...before(remote), ...changes } : before(remote));
  }

  /** Serves a release of a remote with the same page for each route; returns it as it is in the remote index. */
  async serve(name: string, version: string, behavior: PageBehavior): Promise<RegisteredRelease> {
    const entry = `/remotes/${name}/${version}/${entryFile}`;
    const body = handWrittenEntry(name, version, componentOf(behavior));
    await this.#page.route(`**${entry}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    return { version, entry, integrity: { [entryFile]: integrityOf(Buffer.from(body)) } };
  }
}

/** A test that can change the releases. */
export const test = base.extend<{ releases: Releases }>({
  releases: async ({ page }, use) => {
    const releases = new Releases(page);
    await releases.watch();
    await use(releases);
    // Ignores requests that are still in progress at the end of the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
});
