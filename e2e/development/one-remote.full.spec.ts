import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { remoteIndexUrl } from '@daybook/contract/release';
import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { readRelease } from '@daybook/testing/builds';
import { entriesOf } from '@daybook/testing/entries';
import { findFreePort } from '@daybook/testing/ports';
import { buildParts, copyRepository, type RepositoryCopy } from '@daybook/testing/repository-copy';
import { openSignupDialog } from '@daybook/testing/signup-dialog';
import type { Page } from '@playwright/test';

// One development server for all tests.
test.describe.configure({ mode: 'serial', timeout: 240_000 });

/** A busy machine takes long for a build. */
const builds = { timeout: 100_000 };

/** The servers, and the sources of one remote: neither of the shell's browser part, nor of other remotes. */
const servers = ['backend/package.json', 'backend/src', 'shell/package.json', 'shell/public', 'shell/server'];
const parts = [...buildParts, ...servers, 'deploy/postgres', 'scripts', 'mf-legal'];

let copy: RepositoryCopy;
let url: string;
let output = '';
let stop: () => Promise<unknown>;

test.beforeAll(async ({ baseURL }) => {
  copy = copyRepository(parts);
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  const child = spawn('npm', ['run', 'dev', '-w', 'mf-legal', '--', '--site', String(baseURL)], {
    cwd: copy.folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, since Ctrl-C signals a whole group.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += stripVTControlCharacters(String(chunk))));
  stop = () => {
    process.kill(-Number(child.pid), 'SIGINT');
    return once(child, 'exit');
  };
  await expect.poll(() => output, { timeout: 200_000 }).toContain('[mf-legal] Rspack compiled successfully');
  // An open page loads itself again when the server takes this build in place of the first one.
  const { version } = readRelease(path.join(copy.folder, 'mf-legal/build')).release;
  await expect.poll(async () => (await fetch(url + remoteIndexUrl)).text()).toContain(version);
});
test.afterAll(async () => {
  await stop();
  copy.remove();
});

const statusOf = async (path: string) => (await fetch(url + path)).status;

test('shows the remote with shell, other remotes and API of a running site', async ({ page, database, baseURL }) => {
  expect(output).toContain(`shell, API, mf-offers, mf-privacy, mf-signup: from ${baseURL}`);
  await page.goto(`${url}/terms`);
  await expect(page.locator('[data-remote^="mf-legal@"]')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  const readerEmail = newEmail();
  const { email, submit } = await openSignupDialog(page, url);
  await email.fill(readerEmail);
  await submit.click();
  await page.waitForURL('**/thank-you*');
  expect(await entriesOf(database, readerEmail)).toHaveLength(1);
});

const pageFile = 'mf-legal/src/pages/terms-in-short.tsx';
const route =
  "export const route = { path: '/terms-in-short', title: 'In short', description: 'The terms in one sentence.', frame: 'site' } satisfies PageRouteDefinition;\n";
const pageOf = (heading: string) => `${route}export default () => <h1>${heading}</h1>;\n`;

/** Expects a heading of the new page in another tab: the open one may be loading itself again. */
async function expectHeading(page: Page, name: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`${url}/terms-in-short`);
  await expect(other.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('shows a new title and a new page without a restart', async ({ page }) => {
  await page.goto(`${url}/terms`);
  expect(await statusOf('/terms-in-short')).toBe(404);
  copy.edit('mf-legal/src/pages/terms.tsx', (text) => text.replace(/title: '[^']*'/, "title: 'Terms'"));
  copy.write(pageFile, pageOf('The terms in short'));
  await expect(page).toHaveTitle(/^Terms \|/, builds);
  await expect.poll(() => statusOf('/terms-in-short'), builds).toBe(200);
  await expectHeading(page, 'The terms in short');
});

for (const [what, source, message] of [
  ['a compile error', `${route}export default <`, /mf-legal.*pages\/terms-in-short\.tsx.*Expression expected/s],
  ['a page that needs a browser', pageOf('{location.href}'), /src\/pages\/terms-in-short\.tsx can't be rendered/],
  ['a page without a route', 'export default () => null;', /src\/pages\/terms-in-short\.tsx has no route/],
] as const)
  test(`shows ${what} in open pages until it is fixed`, async ({ page }) => {
    await page.goto(`${url}/privacy-policy`);
    copy.write(pageFile, source);
    const dialog = page.getByRole('dialog', { name: 'Compile errors' });
    await expect(dialog).toContainText(message, builds);
    expect(await statusOf('/terms')).toBe(200);
    copy.write(pageFile, pageOf(`Fixed after ${what}`));
    await expect(dialog).toBeHidden(builds);
    await expectHeading(page, `Fixed after ${what}`);
  });
