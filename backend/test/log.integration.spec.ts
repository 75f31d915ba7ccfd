import { join } from 'node:path';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { completionNotice, emergencyNotice, information } from './support/factories.ts';
import { runBackend, runShellServer, urlOf } from './support/processes.ts';
import { useDatabase } from './support/use-backend.ts';

type Line = Readonly<Record<'level' | 'service', string> & { requestId?: string; status?: number }>;

const email = 'ada.lovelace@example.com';
const inQuery = `email=${encodeURIComponent(email)}`;

const database = useDatabase();
let site: TemporaryBuilds;
beforeAll(() => {
  site = createTemporaryBuilds();
  site.release(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/thank-you')] }));
});
afterAll(() => site?.remove());

/** Runs both servers as processes, sends all requests that can contain an email, and returns the log. */
async function logOfJourney() {
  const shared = { PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'trace' };
  const backend = runBackend('main', { ...shared, DATABASE_URL: database.url, COOKIE_SECRET: 'x'.repeat(32) });
  const shell = runShellServer(site.shellFolder, {
    ...shared,
    HOST: '127.0.0.1',
    BACKEND_URL: await urlOf(backend.child),
    RELEASES_DATABASE_URL: database.url,
    DEVELOPMENT: 'true',
    DEVELOPMENT_BUILDS: JSON.stringify({ 'mf-signup': site.folderOf('mf-signup') }),
    RELEASES_FOLDER: join(site.folder, 'releases'),
    TRUSTED_PROXIES: '1',
  });
  await journey(await urlOf(shell.child));
  let text = '';
  for (const { child, ended } of [shell, backend]) {
    child.kill('SIGTERM');
    const { exitCode, output, errors } = await ended;
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    text += output;
  }
  const lines = text.trim().split('\n');
  return { text, lines: lines.map((line): Line => JSON.parse(line)) };
}

async function journey(url: string): Promise<void> {
  const send = (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { referer: `${url}/thank-you?${inQuery}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  await send('GET', `/?${inQuery}`);
  await send('GET', '/assets/shell.0a1b2c3d.js');
  const headers = { 'x-request-id': 'from-the-proxy-1' };
  const signedUp = await send('POST', '/api/waitlist', { email }, headers);
  expect([signedUp.status, signedUp.headers.get('x-request-id')]).toEqual([201, 'from-the-proxy-1']);
  const { entry } = (await signedUp.json()) as { entry: { id: number } };
  await send('GET', `/thank-you?${inQuery}&id=${entry.id}`);
  await send('GET', `/api/waitlist/by-email?${inQuery}`, undefined, { 'x-request-id': email });
  await send('PUT', `/api/waitlist/${entry.id}`, information());
  for (const call of ['step/2', 'complete', 'update-client-info'])
    await send('PUT', `/api/waitlist/${entry.id}/${call}`, {});
  await send('POST', `/api/waitlist/${entry.id}/notify-complete`, completionNotice());
  await send('POST', '/api/emergency-webhook', emergencyNotice({ email }));
  // Rejected requests must not be quoted either.
  await send('POST', '/api/waitlist', { email: `${email}@` });
  await send('POST', '/api/waitlist', `{"email": "${email}"`);
  await send('PUT', `/api/waitlist/${email}/complete`, {});
  for (const nowhere of [`/${email}`, `/api/${email}?${inQuery}`, `/%ZZ?${inQuery}`, `/api/%ZZ?${inQuery}`]) {
    await send('GET', nowhere);
    await send('POST', nowhere, { email });
  }
}

test('no log has an email, and each line of a call has its request id', async () => {
  await database.query('ALTER TABLE waitlist_entry ADD CHECK (step < 2) NOT VALID');
  const { text, lines } = await logOfJourney();
  expect(text).not.toMatch(/@(?!nestjs|1\.0\.0-)|%40|lovelace/i);
  for (const line of lines)
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      level: expect.stringMatching(/^(?:error|warn|info|debug|trace)$/),
      service: expect.stringMatching(/^(?:shell|backend)$/),
      msg: expect.any(String),
    });

  const signup = lines.filter(({ requestId, status }) => requestId === 'from-the-proxy-1' && status);
  const common = { method: 'POST', status: 201, duration: expect.any(Number) };
  expect(signup).toMatchObject([
    { service: 'shell', route: '/api/*', ...common },
    { service: 'backend', route: '/api/waitlist', ...common },
  ]);
  const idsOf = (service: string) =>
    lines.filter((line) => line.service === service && line.status).map(({ requestId }) => requestId);
  expect(idsOf('shell')).toEqual(expect.arrayContaining(idsOf('backend')));

  const failure = { service: 'backend', method: 'PUT', route: '/api/waitlist/:id/step/:step', status: 500 };
  const errors = lines.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ ...failure, requestId: expect.any(String), code: 'INTERNAL' }]);
});
