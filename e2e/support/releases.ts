import { type RegisteredRelease, type RegisteredRemote, type Registry, registryAddress } from '@daybook/contract';
import { handWrittenEntry, integrityOf } from '@daybook/testing/releases';
import type { Page, Route } from '@playwright/test';
import { test as base } from './test.ts';

/** What the page of a release made by a test does when it is shown. */
type PageBehaviour =
  | { readonly heading: string }
  | 'throws while rendering'
  | 'throws in an effect'
  | 'its entry throws';

const entryFile = 'remoteEntry.00000001.js';

/** The component of a page, as text; `React` is the shell's. */
function componentOf(behaviour: PageBehaviour): string {
  if (behaviour === 'its entry throws') return `(() => { throw new Error('The entry is broken.'); })()`;
  if (behaviour === 'throws while rendering') return `() => { throw new TypeError('The page is broken.'); }`;
  if (behaviour === 'throws in an effect')
    return `() => { React.useEffect(() => { throw new TypeError('The page is broken.'); }); return null; }`;
  return `() => React.createElement('h1', null, ${JSON.stringify(behaviour.heading)})`;
}

/** The releases of the site as the test's browser sees them, and what its pages report of them. */
export class Releases {
  /** The reports of failed releases so far, as they were sent. */
  readonly reports: unknown[] = [];
  /** How often a page has looked for new releases. */
  looks = 0;
  readonly #page: Page;
  #change = (remote: RegisteredRemote): RegisteredRemote => remote;

  constructor(page: Page) {
    this.#page = page;
  }

  async watch(): Promise<void> {
    await this.#page.route('**/_reports', async (route) => {
      const report = route.request().postDataJSON();
      if (report.kind !== 'view') this.reports.push(report);
      await route.fulfill({ status: 204 });
    });
    await this.#page.route(`**${registryAddress}`, async (route) => {
      this.looks += 1;
      const registry = (await (await route.fetch()).json()) as Registry;
      await route.fulfill({ json: { ...registry, remotes: registry.remotes.map((remote) => this.#change(remote)) } });
    });
  }

  /** From now on the registry of the moment has these values for a remote. */
  change(name: string, changes: Partial<RegisteredRemote>): void {
    const before = this.#change;
    this.#change = (remote) => (remote.name === name ? { ...before(remote), ...changes } : before(remote));
  }

  /** Serves a release of a remote with one page; gives what the registry says of it. */
  async serve(name: string, version: string, path: string, behaviour: PageBehaviour): Promise<RegisteredRelease> {
    const entry = `/remotes/${name}/${version}/${entryFile}`;
    const body = handWrittenEntry(name, version, [path], componentOf(behaviour));
    await this.#page.route(`**${entry}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    return { version, entry, integrity: { [entryFile]: integrityOf(body) } };
  }
}

/** Adds a byte or two to a file that the site serves, as somebody on the way could. */
export async function tamperWith(route: Route): Promise<void> {
  const answer = await route.fetch();
  await route.fulfill({ response: answer, body: `${await answer.text()}\n/* and more */\n` });
}

/** A test that changes which releases there are. */
export const test = base.extend<{ releases: Releases }>({
  releases: async ({ page }, use) => {
    const releases = new Releases(page);
    await releases.watch();
    await use(releases);
    // What a page still asks for when its test is over is nobody's matter.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
});
