import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { docker } from '../../scripts/compose/engine.ts';
import { remotes, root } from '../../scripts/workspaces.ts';
import { pathOf } from '../chaos/visitor.ts';
import { PlainLoad } from '../support/plain-load.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, newAddress, signUp, test } from '../support/test.ts';
import { stack } from './stack-of-run.ts';

const servers = ['backend', 'shell'];
const running = ['postgres', ...servers, ...remotes];

/** How long a container may take until it is as it should be, on a busy machine, in ms. */
const limit = 120_000;
const expectHealth = (service: string) =>
  expect.poll(() => stack.healthOf(service), { timeout: limit, message: service });

test.afterEach('everything runs again', async () => {
  for (const service of running) await expectHealth(service).toBe('healthy');
});

test('no container may do more than it needs, and the shell alone is reached from outside', async () => {
  for (const service of running) {
    const { Config, HostConfig, NetworkSettings } = await stack.inspect(service);
    expect.soft(HostConfig, service).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], CapAdd: null });
    expect.soft(HostConfig.SecurityOpt, service).toContain('no-new-privileges:true');
    expect.soft(HostConfig.Memory, service).toBeGreaterThan(0);
    expect.soft(HostConfig.PidsLimit, service).toBeGreaterThan(0);
    expect.soft(HostConfig.LogConfig.Config, service).toHaveProperty('max-size');
    expect.soft(Config.User, service).toMatch(/^(?:node|nginx|postgres)$/);
    const published = Object.values(NetworkSettings.Ports).flat().filter(Boolean);
    expect.soft(published, service).toHaveLength(service === 'shell' ? 1 : 0);
    if (service === 'postgres') continue;
    expect.soft(Config.Labels, service).toMatchObject({
      'org.opencontainers.image.title': service,
      'org.opencontainers.image.version': 'test-compose',
      'org.opencontainers.image.revision': 'abcdef0',
    });
  }
});

test('nobody but the backend reaches the database', async () => {
  const reach = (service: string, script: string) =>
    stack.exec(service, 'node', '--eval', script).then(
      () => 'reached',
      () => 'not reached',
    );
  const connect = `require('node:net').connect(5432, 'postgres').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
  expect(await reach('backend', connect)).toBe('reached');
  expect(await reach('shell', connect)).toBe('not reached');
  for (const remote of remotes) {
    const { NetworkSettings } = await stack.inspect(remote);
    expect(Object.keys(NetworkSettings.Networks)).toEqual([expect.stringMatching(/_remotes$/)]);
  }
});

test('the releases command runs in the container of the shell', async () => {
  const list = await stack.exec('shell', 'releases', 'list');
  for (const remote of remotes) expect(list).toMatch(RegExp(`${remote} +1\\.0\\.0-[0-9a-f]{8}`));
});

test('the operator command runs in the container of the backend', async () => {
  test.skip(!existsSync(path.join(root, 'backend/src/operator/main.ts')), 'there is no such command yet');
  expect(await stack.exec('backend', 'operator', 'stats')).toContain('Subscribers');
});

test('the dashboard asks for nothing that the servers do not tell', async () => {
  const told = (service: string, port: number) => `
    const token = require('node:fs').readFileSync('/run/secrets/operator/operator-token', 'utf8').trim();
    fetch('http://127.0.0.1:${port}/metrics', { headers: { Authorization: 'Bearer ' + token } })
      .then((answer) => answer.text()).then((text) => console.log('${service}', text))`;
  const texts = [
    await stack.exec('shell', 'node', '--eval', told('shell', 8080)),
    await stack.exec('backend', 'node', '--eval', told('backend', 3000)),
  ];
  const names = new Set(
    texts
      .join('\n')
      .match(/^# TYPE \S+/gm)
      ?.map((line) => line.slice('# TYPE '.length)),
  );
  const dashboard = readFileSync(path.join(root, 'deploy/monitoring/dashboard.json'), 'utf8');
  const asked = new Set(
    dashboard.match(/\b(?:daybook|process|nodejs)_\w+/g)?.map((name) => name.replace(/_bucket$/, '')),
  );
  expect([...asked].filter((name) => !names.has(name))).toEqual([]);
  expect(asked.size).toBeGreaterThan(10);
});

for (const [service, settings, line] of [
  ['backend', ['COOKIE_SECRET_FILE='], 'COOKIE_SECRET is required'],
  ['backend', ['COOKIE_SECRET_FILE=', `COOKIE_SECRET=${'a'.repeat(40)}`], 'COOKIE_SECRET consists of too few'],
  ['backend', ['PUBLIC_URL=daybook'], 'PUBLIC_URL must be the address of the site'],
  ['backend', ['DATABASE_URL_FILE=', 'DATABASE_URL=postgres://a:b@nowhere/c'], 'DATABASE_URL cannot be reached'],
  ['migrate', ['DATABASE_URL_FILE=', 'DATABASE_URL=postgres://a:b@nowhere/c'], 'DATABASE_URL cannot be reached'],
  ['shell', ['OPERATOR_TOKEN_FILE='], 'OPERATOR_TOKEN: is required in production'],
  ['shell', ['REMOTES=mf-legal=mf-legal:8080'], 'REMOTES: has “mf-legal=mf-legal:8080” in it'],
  ['secrets', ['SECRETS_FOLDER=/etc/daybook'], 'SECRETS_FOLDER: /etc/daybook has no cookie-secret'],
] as const) {
  test(`${service} does not start with ${settings.join(' ')}, and says why`, async () => {
    const variables = settings.flatMap((setting) => ['--env', setting]);
    await expect(stack.compose('run', '--rm', '--no-deps', '-T', ...variables, service)).rejects.toThrow(line);
  });
}

test('mf-privacy is released alone and taken back under load, without a failed request', async ({ page, baseURL }) => {
  const others = running.filter((service) => service !== 'mf-privacy');
  const before = await Promise.all(others.map((service) => stack.containerId(service)));
  const file = path.join(stack.folder, 'mf-privacy/src/choices/unsubscribe.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace("heading: 'Unsubscribe'", "heading: 'Unsubscribe today'"));

  const load = new PlainLoad(baseURL ?? '', ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you']);
  await stack.compose('up', '--detach', '--build', 'mf-privacy');
  const expectHeading = (name: string) =>
    expect(async () => {
      await page.goto('/unsubscribe');
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: limit });
  await expectHeading('Unsubscribe today');
  await stack.exec('shell', 'releases', 'rollback', 'mf-privacy', '--why', 'the wording');
  await expectHeading('Unsubscribe');
  await load.stop();

  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThan(100);
  expect(await Promise.all(others.map((service) => stack.containerId(service)))).toEqual(before);
  const log = await stack.exec('shell', 'releases', 'log', 'mf-privacy');
  expect(new Set(log.match(/1\.0\.0-[0-9a-f]{8}/g)).size).toBe(2);
});

for (const remote of remotes) {
  test(`${remote} is killed: its pages are served as before`, async ({ page }) => {
    await stack.compose('kill', remote);
    for (const address of Object.values(pathOf)) {
      await page.goto(address);
      await expect(page.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
    }
    await stack.compose('start', remote);
  });
}

for (const [service, unhealthy] of [
  ['backend', 'exited'],
  ['postgres', 'unhealthy'],
] as const) {
  test.describe(`${service} is killed`, () => {
    test.use({ expectedStatuses: [503] });

    test('pages are served, a signup is told to try again, and works once it is back', async ({ page }) => {
      const { dialog, email, submit } = await openSignupDialog(page);
      await stack.compose('kill', service);
      await expectHealth('backend').toBe(unhealthy);

      const address = newAddress(service);
      await email.fill(address);
      await submit.click();
      await expect(dialog.getByRole('alert').first()).toContainText(/try again/i, { timeout: 30_000 });
      const other = await page.context().newPage();
      for (const place of Object.values(pathOf)) {
        await other.goto(place);
        await expect(other.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
      }
      await other.close();

      await stack.compose('start', service);
      await expectHealth('backend').toBe('healthy');
      await expect(email).toHaveValue(address);
      await expect(async () => {
        await submit.click({ timeout: 1_000 }).catch(() => undefined);
        await expect(dialog.getByText("You're all set!")).toBeVisible({ timeout: 5_000 });
      }).toPass({ timeout: limit });
      expect(await stack.query(`SELECT count(*) FROM subscriber WHERE email = '${address}'`)).toBe('1');
    });
  });
}

test('the shell is killed: once it is back it serves what it had', async ({ page }) => {
  const registry = async () => (await page.request.get('/registry.json')).json();
  const before = await registry();
  await stack.compose('kill', 'shell');
  await stack.compose('start', 'shell');
  await expectHealth('shell').toBe('healthy');
  expect((await registry()).remotes).toEqual(before.remotes);
});

test('whatever crashes is started again by the engine', async ({ page }) => {
  for (const service of running) {
    const { State } = await stack.inspect(service);
    // From outside: a container can't kill its own first process.
    const kill = `process.kill(${State.Pid}, 'SIGKILL')`;
    await docker('run', '--rm', '--pid=host', '--entrypoint=node', 'node:24-bookworm-slim', '--eval', kill);
    await expect.poll(async () => (await stack.inspect(service)).RestartCount, { timeout: limit }).toBeGreaterThan(0);
    await expectHealth(service).toBe('healthy');
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the stack is taken down and started again: all data is there', async ({ page }) => {
  const address = newAddress('before');
  const id = await signUp(page, address);
  const log = await stack.exec('shell', 'releases', 'log');
  await stack.compose('down');
  await stack.compose('up', '--detach', '--wait');
  expect(await stack.query(`SELECT id FROM waitlist_entry ORDER BY created_at DESC LIMIT 1`)).toBe(String(id));
  expect(await stack.exec('shell', 'releases', 'log')).toBe(log);
  // The cookie's secret has lasted too: this browser is known.
  const answer = await page.request.get('/api/waitlist/by-email', { params: { email: address } });
  expect((await answer.json()).entry.id).toBe(id);
});
