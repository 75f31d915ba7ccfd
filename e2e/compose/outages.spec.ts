import { docker } from '@daybook/testing/compose';
import { expect, newEmail, signUp, test } from '../support/test.ts';
import * as stack from './stack.ts';

test.afterEach('wait until every service is healthy', () => stack.untilAllHealthy());

test('the engine restarts all services after all have crashed', async ({ page }) => {
  const inspectAll = () => Promise.all(stack.running.map(stack.inspect));
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
  const email = newEmail('before');
  const id = await signUp(page, email);
  const readLog = () => stack.query('SELECT * FROM releases.state ORDER BY remote, number');
  const log = await readLog();
  expect(log).toContain('mf-legal');
  await stack.down('down');
  await stack.up();
  expect(await stack.query(`SELECT id FROM waitlist_entry ORDER BY created_at DESC LIMIT 1`)).toBe(String(id));
  expect(await readLog()).toBe(log);
  // The cookie secret survived too: the cookie is still valid.
  const response = await page.request.get('/api/waitlist/by-email', { params: { email } });
  expect((await response.json()).entry.id).toBe(id);
});
