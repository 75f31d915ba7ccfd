import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  createTemporaryReleases,
  type TemporaryReleases,
  versionOf,
} from '../../../../packages/releases/src/test/release-folder.ts';
import { ReleaseStats } from '../../outcomes/release-stats.ts';
import { renderReleasesPage } from './releases-page.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const by = { by: 'Ann' };

let folder: TemporaryReleases;
let stats: ReleaseStats;
beforeEach(() => {
  folder = createTemporaryReleases(['mf-legal']);
  stats = new ReleaseStats(folder.registry);
});
afterEach(() => folder.remove());

/** Adds two releases, and activates the first, then perhaps the second. */
async function addTwo(...activated: string[]): Promise<void> {
  for (const version of [first, second]) await folder.add('mf-legal', version);
  for (const version of [first, ...activated]) await folder.activate('mf-legal', version, by);
}
const offer = (offered: string, changes: object = {}) =>
  folder.registry.reportOrigin('mf-legal', { address: 'http://mf-legal:8080', offered, problem: null, ...changes });

/** Renders the page three minutes from now. */
async function render(operator = 'Ann'): Promise<string> {
  await folder.copy.refresh();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 60_000);
  const counts = await stats.read(['mf-legal']);
  const page = renderReleasesPage({
    remotes: folder.remotes,
    copy: folder.copy,
    active: folder.active,
    stats: counts,
    operator,
    csrfToken: 'a-token',
  });
  clock.mockRestore();
  return page;
}
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;])/g, '');
/** The accessible names of the buttons of a page. */
const buttons = (page: string) =>
  [...page.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, inner = '']) =>
    textOf(inner).replaceAll(/\s+/g, ' ').trim(),
  );

describe('the page of releases', () => {
  test('shows the releases that visitors get', async () => {
    expect(textOf(await render())).toContain(
      'It has no active release yet; its pages respond with 503 until it has one.',
    );
    await folder.add('mf-legal', first);
    await folder.activate('mf-legal', first, by);
    expect(textOf(await render())).toContain(`All visitors get ${first}, activated 3 minutes ago.`);
    await folder.add('mf-legal', second);
    await folder.canary('mf-legal', second, 20, by);
    for (let view = 0; view < 40; view += 1) stats.countView('mf-legal', first);
    stats.countFailure('mf-legal', first, 'render');
    const page = textOf(await render());
    expect(page).toContain(`20 % of visitors get ${second}, started 3 minutes ago; all others ${first}`);
    expect(page).toMatch(new RegExp(`${second} Canary 3 minutes ago 1 / 14 bytes 20.% 0 0`));
    expect(page).toMatch(new RegExp(`${first} Active 3 minutes ago 1 / 14 bytes 80.% 40 1.\\(2\\.5.%\\)`));
    expect(await render()).toContain('aria-label="40 page views and 1 failure in the last 3 hours; most failures, 1,');
  });

  test('compares a canary with the active release since it started', async () => {
    await addTwo();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60 * 60_000);
    stats.countView('mf-legal', first);
    clock.mockRestore();
    expect(textOf(await render())).not.toContain('Since the canary started');
    await folder.canary('mf-legal', second, 20, by);
    for (let view = 0; view < 40; view += 1) stats.countView('mf-legal', view % 5 ? first : second);
    stats.countFailure('mf-legal', second, 'load');
    stats.countFailure('mf-legal', second, 'render');
    expect(textOf(await render()).replaceAll('\u00a0', ' ')).toContain(
      `Since the canary started Release Visitors Views Failures Failures per view ${second} Canary 20 % 8 2 25.0 % ${first} Active 80 % 32 0 0.0 % `,
    );
  });

  test('has a button for each possible change, named by remote and release', async () => {
    await folder.add('mf-legal', first);
    await folder.activate('mf-legal', first, by);
    expect(buttons(await render())).toEqual(['Sign out', `Pin mf-legal to ${first}`]);
    for (const version of [second, third]) await folder.add('mf-legal', version);
    await folder.activate('mf-legal', second, by);
    const named = (page: string) => buttons(page).filter((name) => !name.includes(first) || name.includes(second));
    expect(named(await render()).toSorted()).toEqual([
      `Activate mf-legal ${third} for all visitors`,
      `Pin mf-legal to ${second}`,
      `Pin mf-legal to ${third}`,
      `Roll back mf-legal from ${second} to ${first}`,
      'Sign out',
      `Start canary of mf-legal ${third}`,
    ]);
    await folder.pin('mf-legal', second, by);
    const pinned = await render();
    expect(buttons(pinned)).toContain(`Unpin mf-legal from ${second}`);
    expect(buttons(pinned)).toContain(`Roll back mf-legal from pinned ${second}`);
    expect(pinned).toMatch(/<select name="version" required><option value="">Choose …<\/option>/);
    await folder.canary('mf-legal', third, 5, by);
    expect(buttons(await render())).toEqual(
      expect.arrayContaining([
        `Roll back mf-legal, canary ${third}`,
        `Change share of canary mf-legal ${third}`,
        `Promote mf-legal ${third} to all visitors`,
      ]),
    );
  });

  test('shows a preview, its end and its problem, and has buttons to end and activate it', async () => {
    await addTwo();
    await folder.preview('mf-legal', second, { tokenHash: 'a', endsAt: '2099-12-02T10:00:00.000Z' }, by);
    const problem = { reason: 'signature', message: 'it is <old>', since: new Date().toISOString() };
    await folder.registry.reportPreview('mf-legal', 'http://mf-legal:8080', problem);
    const page = await render();
    expect(page).toContain(
      `It shows a preview of ${second} until 2099-12-02 10:00:00 UTC, for visitors with its link.`,
    );
    expect(page).toContain('it is &lt;old&gt;');
    expect(page).toContain('<span class="tag">Preview</span>');
    expect(buttons(page)).toEqual(
      expect.arrayContaining([`End preview of mf-legal ${second}`, `Activate mf-legal ${second} for all visitors`]),
    );
    await folder.endPreview('mf-legal', by);
    expect(await render()).not.toContain('It shows a preview');
  });

  test('shows the newest accepted signature and its key', async () => {
    await offer(first);
    const [signedAt, expiresAt] = [Date.now(), Date.parse('2027-12-27T00:00:00Z')];
    const key = '<b>&kq5n3xP0';
    await folder.registry.acceptSignature('mf-legal', { version: first, key, signedAt, expiresAt, integrity: '' });
    expect(await render()).toContain(
      `<br>Its newest signature: ${first}, 3 minutes ago, key &lt;b&gt;&amp;kq5n…, valid until 2027-12-27.`,
    );
  });

  test.each([
    ['rolled back', 'It was rolled back, or was a canary or a preview, so it is not activated automatically.'],
    ['pinned', 'It waits until the remote is unpinned.'],
  ])('shows why the release at the origin is not active: %s', async (how, why) => {
    await addTwo(...(how === 'pinned' ? [] : [second]));
    await (how === 'pinned' ? folder.pin('mf-legal', first, by) : folder.rollback('mf-legal', by));
    await offer(second);
    expect(textOf(await render())).toContain(`Origin http://mf-legal:8080 offers ${second}. ${why}`);
  });

  test('shows that the active release is missing', async () => {
    await addTwo(second);
    await folder.cache.remove('mf-legal', second);
    const page = textOf(await render());
    expect(page).toContain(`damaged ${second} can&#39;t be served: its files are not here yet; visitors get ${first}.`);
    expect(page).toContain(`Visitors get ${first}; ${second} is active.`);
    expect(page).toMatch(new RegExp(`${first} Previous 3 minutes ago 1 / 14 bytes 100.%`));
  });

  test('shows the last 50 changes, the latest first', async () => {
    await addTwo();
    for (let change = 1; change <= 60; change += 1)
      await folder.pin('mf-legal', change % 2 ? first : second, { by: 'Ann', why: `reason ${change};` });
    const reasons = [...textOf(await render()).matchAll(/reason (\d+);/g)].map(([, number]) => Number(number));
    expect(reasons).toEqual(Array.from({ length: 50 }, (_, index) => 60 - index));
    expect(textOf(await render())).toContain('The last 50 of 61 changes.');
  });

  test('escapes hostile text', async () => {
    const hostile = '"><script>alert(1)</script>';
    await folder.add('mf-legal', first);
    await folder.activate('mf-legal', first, { by: `by ${hostile}`, why: `why ${hostile}` });
    const problem = { reason: `reason ${hostile}`, message: `message ${hostile}`, since: new Date().toISOString() };
    await offer(`offered ${hostile}`, { address: `http://origin ${hostile}`, problem });
    const page = await render(`operator ${hostile}`);
    expect(page).not.toContain('<script');
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
    for (const word of ['by', 'why', 'reason', 'message', 'http://origin', 'offered', 'operator'])
      expect(page).toContain(`${word} ${escaped}`);
  });
});
