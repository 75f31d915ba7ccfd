import { docker } from '@daybook/testing/compose';
import { remotes } from '@daybook/testing/workspaces';
import { pathOf } from '../support/faulty-site.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, newAddress, recordCalls, signUp, test } from '../support/test.ts';
import * as stack from './stack.ts';

test.afterEach('wait until every service is healthy', () => stack.untilAllHealthy());

test('the site serves all pages while the origins of the remotes are killed', async ({ page }) => {
  await stack.compose('kill', ...remotes);
  for (const address of Object.values(pathOf)) {
    await page.goto(address);
    await expect(page.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
  }
  await stack.compose('start', ...remotes);
});

test.describe('while postgres is killed', () => {
  test.use({ expectedStatuses: [503] });

  test('pages are served, a signup fails once, and works after the restart', async ({ page }) => {
    const { dialog, email, submit } = await openSignupDialog(page);
    await stack.compose('kill', 'postgres');
    await stack.expectHealth('backend').toBe('unhealthy');

    const address = newAddress('postgres');
    await email.fill(address);
    const calls = recordCalls(page);
    await submit.click();
    await expect(dialog.getByRole('alert').first()).toContainText(/try again/i, { timeout: 40_000 });
    expect(calls).toHaveLength(1);
    const other = await page.context().newPage();
    for (const place of Object.values(pathOf)) {
      await other.goto(place);
      await expect(other.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
    }
    await other.close();

    await stack.compose('start', 'postgres');
    await stack.expectHealth('backend').toBe('healthy');
    await expect(email).toHaveValue(address);
    await expect(async () => {
      await submit.click({ timeout: 1_000 }).catch(() => undefined);
      await expect(dialog.getByText("You're all set!")).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: stack.healthTimeout });
    expect(await stack.query(`SELECT count(*) FROM subscriber WHERE email = '${address}'`)).toBe('1');
  });
});

test('the engine restarts all services after all have crashed', async ({ page }) => {
  const inspectAll = async () => (await Promise.all(stack.running.map(stack.inspectAll))).flat();
  const containers = await inspectAll();
  // From outside: a container can't kill its own init process.
  const kill = containers.map(({ State }) => `process.kill(${State.Pid}, 'SIGKILL');`).join(' ');
  await docker('run', '--rm', '--pid=host', '--entrypoint=node', 'node:24-bookworm-slim', '--eval', kill);
  const notRestarted = async () =>
    (await inspectAll()).filter(({ RestartCount }) => RestartCount === 0).map(({ Name }) => Name);
  await expect.poll(notRestarted, { timeout: stack.healthTimeout }).toEqual([]);
  await stack.untilAllHealthy();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('all data survives docker compose down and up', async ({ page }) => {
  const address = newAddress('before');
  const id = await signUp(page, address);
  const readChanges = () => stack.query('SELECT * FROM releases.change ORDER BY remote, revision');
  const changes = await readChanges();
  expect(changes).toContain('mf-legal');
  // Services of a profile in COMPOSE_PROFILES are stopped, too.
  stack.changeSettings({ COMPOSE_PROFILES: 'monitoring' });
  await stack.compose('up', '--detach', 'prometheus');
  await stack.compose('down');
  const containers = ['ps', '--all', '--quiet', '--filter', `label=com.docker.compose.project=${stack.project}`];
  expect(await docker(...containers)).toBe('');
  stack.changeSettings({ COMPOSE_PROFILES: '' });
  await stack.compose('up', '--detach', '--wait');
  expect(await stack.query(`SELECT id FROM waitlist_entry ORDER BY created_at DESC LIMIT 1`)).toBe(String(id));
  expect(await readChanges()).toBe(changes);
  // The cookie secret survived too: the cookie is still valid.
  const response = await page.request.get('/api/waitlist/by-email', { params: { email: address } });
  expect((await response.json()).entry.id).toBe(id);
});
