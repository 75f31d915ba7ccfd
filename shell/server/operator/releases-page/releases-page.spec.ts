import { versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ReleaseStats } from '../../stats/release-stats.ts';
import { MemorySiteRegistry } from '../../test/memory-site-registry.ts';
import { renderReleasesPage } from './releases-page.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const by = { by: 'Ann' };

let folder: TemporaryReleases;
let stats: ReleaseStats;
beforeEach(() => {
  folder = createTemporaryReleases(['mf-legal']);
  const counter = { inc: () => undefined };
  const metrics = { views: counter, failures: counter, failingNetworks: counter };
  stats = new ReleaseStats(new MemorySiteRegistry(), metrics);
});
afterEach(() => folder.remove());

/** Adds two releases, and activates the first, then perhaps the second. */
async function addTwo(...activated: string[]): Promise<void> {
  for (const version of [first, second]) await folder.add('mf-legal', version);
  for (const version of [first, ...activated]) await folder.activate('mf-legal', version, by);
}

/** Renders the page three minutes from now. */
async function render(): Promise<string> {
  await folder.live.refresh();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 60_000);
  const counts = await stats.read(['mf-legal']);
  const page = renderReleasesPage({
    snapshot: folder.snapshot(),
    problem: folder.live.problem,
    counts,
  });
  clock.mockRestore();
  return page;
}
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;])/g, '');
const text = async () => textOf(await render());
test('shows the releases that visitors get, and compares a canary with the active one since it started', async () => {
  expect(await text()).toContain('It has no active release yet; its pages respond with 503 until it has one.');
  await addTwo();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60 * 60_000);
  stats.countView('mf-legal', first);
  clock.mockRestore();
  const before = await text();
  expect(before).toContain(`All visitors get ${first}, activated 3 minutes ago.`);
  expect(before).toContain('Views and failures of the last three hours');
  expect(before).toContain(`${first} Active 3 minutes ago 1 / 14 bytes 100 % 1 0`);
  await folder.offer('mf-legal', second, { percent: 20 }, by);
  for (let view = 0; view < 40; view += 1) stats.countView('mf-legal', view % 5 ? first : second);
  for (const kind of ['load', 'render'] as const) stats.countFailure('mf-legal', second, kind, true);
  const page = await text();
  for (const part of [
    `20 % of visitors get ${second}, started 3 minutes ago; all others ${first}`,
    'Views and failures since the canary started',
    `${second} Canary 3 minutes ago 1 / 14 bytes 20 % 8 2 (25.0 %)`,
    `${first} Active 3 minutes ago 1 / 14 bytes 80 % 32 0`,
  ])
    expect(page).toContain(part);
  expect(page).not.toMatch(/false|undefined/);
});

test('shows its preview, and what is missing', async () => {
  await addTwo(second);
  await folder.rollback('mf-legal', by);
  await folder.offer('mf-legal', second, { tokenHash: 'a', endsAt: '2099-12-02T10:00:00.000Z' }, by);
  const page = await render();
  for (const part of [
    `It has a preview of ${second} until 2099-12-02 10:00:00 UTC, for visitors with its link.`,
    '<span class="tag">Preview</span>',
  ])
    expect(page).toContain(part);
  await folder.end('mf-legal', by);
  expect(await render()).not.toContain('It has a preview');
  await folder.activate('mf-legal', second, by);
  folder.registry.readFile = () => Promise.reject(new Error('away'));
  await folder.live.files.remove('mf-legal', second);
  await folder.live.update();
  const damaged = await text();
  expect(damaged).toContain(
    `damaged ${second} can&#39;t be served: its files are not here yet; visitors get ${first}.`,
  );
  expect(damaged).toContain(`Visitors get ${first}; ${second} is active.`);
  expect(damaged).toContain(`${first} Previous 3 minutes ago 1 / 14 bytes 100 %`);
});

test('shows the last 50 deployments, the latest first', async () => {
  await addTwo();
  for (let number = 1; number <= 60; number += 1)
    await folder.activate('mf-legal', number % 2 ? second : first, { by: 'Ann', why: `reason ${number};` });
  const page = await text();
  const reasons = [...page.matchAll(/reason (\d+);/g)].map(([, number]) => Number(number));
  expect(reasons).toEqual(Array.from({ length: 50 }, (_, index) => 60 - index));
  expect(page).toContain('The last 50 of 61 deployments.');
});

test('escapes the log, and has neither scripts nor forms', async () => {
  const hostile = '"><script>alert(1)</script>';
  await folder.add('mf-legal', first);
  await folder.activate('mf-legal', first, { by: `by ${hostile}`, why: `why ${hostile}` });
  const page = await render();
  expect(page).not.toMatch(/<(?:script|form|button|input)/);
  const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
  for (const word of ['by', 'why']) expect(page).toContain(`${word} ${escaped}`);
});
