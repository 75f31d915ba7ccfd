import fs from 'node:fs';
import { RegistryError } from '@daybook/releases/server';
import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { maxSessions } from '../../registry/site-registry.ts';
import { bearer, changeRelease, OperatorBrowser, operatorToken } from '../../test/operator.ts';
import { legalRelease, prepareTwoRemotes as prepare, startRunningSite } from '../../test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const annsToken = 'qX7-token-of-ann-in-a-test';
const bobsToken = 'wZ3-token-of-bob-in-a-test';

const variables = {
  OPERATOR_TOKEN: operatorToken,
  OPERATOR_TOKENS: `Ann:${annsToken},Bob:${bobsToken}`,
  TRUSTED_PROXIES: '1',
};

const running = await startRunningSite({ prepare, variables });
beforeAll(async () => {
  await running.publish(legalRelease(2));
  expect(await served()).toBe(second);
});

/** Each test has its own network. */
let network = '';
let networks = 0;
beforeEach(() => {
  networks += 1;
  network = `192.0.2.${networks}`;
});
/** Each test begins with the second release active. */
afterEach(async () => {
  await changeRelease(running.url, { remote: 'mf-legal', action: 'lift' });
  await changeRelease(running.url, { remote: 'mf-legal', action: 'activate', version: second });
});

/** The version of mf-legal that a new visitor gets. */
async function served(): Promise<string | undefined> {
  return /mf-legal\/([^/]+)\/remoteEntry/.exec((await send(running.url, '/terms')).text)?.[1];
}

const get = (path = '/_releases', headers = {}) =>
  send(running.url, path, { headers: { 'X-Forwarded-For': network, ...headers } });
/** Sends a form without cookies. */
const post = (fields: Record<string, string> | string, headers: Record<string, string> = bearer) =>
  send(running.url, '/_releases', {
    method: 'POST',
    body: typeof fields === 'string' ? fields : `${new URLSearchParams({ remote: 'mf-legal', ...fields })}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': network, ...headers },
  });

const open = (url = running.url, headers = {}) => new OperatorBrowser(url, { 'X-Forwarded-For': network, ...headers });
const signIn = async (name = 'Ann', token = operatorToken) => {
  const browser = open();
  await browser.signIn(name, token);
  return browser;
};
/** A browser with a copy of another's cookies. */
const openWith = (cookies: OperatorBrowser['cookies'], url?: string) => {
  const browser = open(url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};
const isSignedIn = async (browser: OperatorBrowser) => (await browser.get()).text.includes('Signed in as');
const activation = { remote: 'mf-legal', action: 'activate', version: first };
const rollback = { action: 'rollback' };

/** Makes a deployment as a signed-in operator; returns the response and the browser. */
const deploy = async (fields: Record<string, string>) => {
  const browser = await signIn();
  return { ...(await browser.post('/_releases', { remote: 'mf-legal', ...fields })), browser };
};
/** Returns operators and reasons of the log, the latest first. */
const logged = async () => {
  const { text } = await get('/_releases', bearer);
  return [...text.matchAll(/data-label="By">(.*?)<.*?data-label="Why">(.*?)</g)].map(([, by, why]) => `${by}: ${why}`);
};

test('/_releases does not exist without an operator token, nor /metrics without a metrics token', async () => {
  const other = await startRunningSite({ prepare, variables: { METRICS_TOKEN: '' } });
  const unknown = await send(other.url, '/nowhere');
  for (const path of ['/_releases', '/_releases/style.css', '/_releases/session', '/metrics']) {
    const { status, text } = await send(other.url, path, { headers: bearer });
    expect([status, text]).toEqual([404, unknown.text]);
    expect((await send(other.url, path, { method: 'POST' })).status).toBe(404);
  }
});

test('without a session, the sign-in page is served, with a style sheet that is cached forever, and nothing can be changed', async () => {
  const { status, text, headers } = await get();
  expect(status).toBe(401);
  expect(text).toContain('autocomplete="current-password"');
  expect(text).not.toContain(first);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("style-src 'self'"),
  });
  const style = await get(/href="(\/_releases\/style\.css\?v=[0-9a-f]{8})"/.exec(text)?.[1]);
  expect([style.status, style.headers]).toMatchObject([
    200,
    { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
  ]);
  const rejected = await post(rollback, { Origin: running.url });
  expect([rejected.status, rejected.text]).toEqual([401, expect.stringContaining('Nothing was changed.')]);
  for (const path of ['/_releases/session', '/_releases/sign-out'])
    expect((await get(path)).headers.location).toBe('/_releases');
  // No GET changes anything.
  await get('/_releases?remote=mf-legal&action=rollback', bearer);
  expect(await served()).toBe(second);
});

describe('signing in', () => {
  test('opens a session for these pages only, each time with a new id, never that of the client', async () => {
    const browser = open();
    browser.cookies.set('operator', 'a'.repeat(32));
    await browser.get();
    const response = await browser.post('/_releases/session', { token: ` ${operatorToken} `, name: ' Ann ' });
    expect([response.status, response.headers.location]).toEqual([303, '/_releases']);
    const [cookie = ''] = response.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^operator=.+; Path=\/_releases; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toMatch(new RegExp(`${operatorToken}|${'a'.repeat(32)}`));
    const { status, text } = await browser.get();
    expect([status, text]).toEqual([200, expect.stringMatching(new RegExp(`Signed in as Ann<[\\s\\S]*${second}`))]);
    const before = new Map(browser.cookies);
    await browser.post('/_releases/session', { token: operatorToken, name: 'Ann' });
    expect([await isSignedIn(browser), await isSignedIn(openWith(before))]).toEqual([true, false]);
  });

  test.each([
    ['a wrong token', 'a-wrong-one', '"Ann"', 401, 'This is not an operator token.'],
    ['no name', operatorToken, '   ', 400, 'Write your name'],
    ['a name that is too long', operatorToken, 'a'.repeat(61), 400, 'Write a name'],
    ["a name that can't be logged", operatorToken, 'Ann\u0007', 400, 'Write the name'],
  ])('with %s shows an error and refills the name, not the token', async (_what, token, name, status, error) => {
    const browser = open();
    const response = await browser.signIn(name, token);
    expect(response.status).toBe(status);
    expect(response.text).toContain(error);
    expect(response.text).toContain(`value="${name.slice(0, 60).replaceAll('"', '&quot;')}"`);
    expect(response.text).not.toContain(token);
    expect(browser.cookies.has('operator')).toBe(false);
  });
});

describe('a deployment', () => {
  test('is made, announced on the page, and logged with name and reason, once for each rendered form', async () => {
    const [, seen = ''] = /name="seen" value="(\d+)"/.exec((await get('/_releases', bearer)).text) ?? [];
    const { browser, ...made } = await deploy({ ...rollback, why: ' no\n heading ', seen });
    expect([made.status, made.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/_releases\?done=mf-legal\.\d+$/),
    ]);
    expect(await served()).toBe(first);
    const page = await browser.get(made.headers.location);
    expect(page.text).toContain('role="status"');
    expect(page.text).toContain(`mf-legal: ${second} is rolled back; all visitors get ${first}.`);
    expect(page.text).toContain('<title>Done: Releases | Daybook</title>');
    expect((await browser.get()).text).not.toContain('role="status"');
    expect((await logged())[0]).toBe('Ann: no heading');
    const late = await deploy({ ...rollback, seen });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('has been changed in the meantime')]);
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(Date.now() + 61_000);
    expect((await browser.get(made.headers.location)).text).not.toContain('role="status"');
    clock.mockRestore();
    for (const done of ['mf-legal.999', '<script>', 'mf-legal.1&done=mf-legal.2'])
      expect((await get(`/_releases?done=${done}`, bearer)).text).not.toMatch(/role="status"|<script/);
  });

  test.each<[number, RegExp, Record<string, string>]>([
    [400, /“action” has to be one of/, { action: 'destroy' }],
    [422, /“version” is missing/, { action: 'activate' }],
    [400, /at most 200 characters/, { ...rollback, why: 'a'.repeat(201) }],
    [400, /“seen” has to be a number/, { ...rollback, seen: '1e9' }],
    [400, /“audience” has to be/, { action: 'end', audience: 'all' }],
    [422, /There is no remote “&lt;script&gt;”/, { ...rollback, remote: '<script>' }],
    [422, /whole number from 1 to 99, not “150”/, { action: 'offer', version: first, percent: '150' }],
  ])('that can’t be made is rejected with %i: %s', async (status, message, fields) => {
    const before = await logged();
    const response = await deploy(fields);
    expect(response.status).toBe(status);
    expect(response.text).toMatch(message);
    const parts = ['role="alert"', '<title>Not done: Releases |', 'Nothing was changed.', '<h2 id="mf-legal">'];
    for (const part of parts) expect(response.text).toContain(part);
    expect(await served()).toBe(second);
    expect(await logged()).toEqual(before);
  });

  test.each([
    ['application/json', '{"remote":"mf-legal","action":"rollback"}', 415],
    ['application/x-www-form-urlencoded', `why=${'a'.repeat(10_001)}`, 413],
  ])('is rejected if the form is too large or of another type: %s', async (type, body, status) => {
    expect((await post(body, { ...bearer, 'Content-Type': type })).status).toBe(status);
    expect(await served()).toBe(second);
  });
});

test('a script needs a token only, not a cookie, gets lines of text, and is logged by the name of its token', async () => {
  const { cookies } = await signIn();
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const wrong = await post(rollback, { Authorization: `Bearer ${operatorToken}x`, Cookie });
  expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(wrong.text).toBe('This is not an operator token.\nNothing was changed.\n');
  expect(await served()).toBe(second);
  const { status, text, headers } = await post(rollback);
  expect([status, headers['content-type']]).toEqual([303, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^mf-legal: .* is rolled back; all visitors get .*\n/);
  expect((await logged())[0]).toBe('operator token: rolled back');
  const rejected = await post({ action: 'lift' });
  const reason = expect.stringMatching(/is not held.*\nNothing was changed\.\n$/);
  expect([rejected.status, rejected.text]).toEqual([422, reason]);
  await post({ action: 'hold' }, { Authorization: `Bearer ${bobsToken}`, 'Operator-Name': 'Ann' });
  expect((await logged())[0]).toMatch(/^Bob: /);
});

describe('a session', () => {
  test('is not opened by a forged cookie', async () => {
    const [signed = '', other = ''] = [await signIn(), await signIn()].map(({ cookies }) => cookies.get('operator'));
    const [id] = signed.split('.');
    const forged = [`${id}.${other.split('.')[1]}`, decodeURIComponent(signed).slice(0, -1), 'a'.repeat(4_000)];
    for (const value of [...forged, '', 'x', 'operator.', '../../log.jsonl', '%ZZ'])
      expect((await get('/_releases', { Cookie: `operator=${value}` })).status).toBe(401);
  });

  test('is stored only after signing in, without its id, and ends eight hours later, even if it is in use', async () => {
    const write = jest.spyOn(running.registry, 'writeSession');
    const stranger = open();
    await stranger.get();
    await stranger.post('/_releases/session', { token: 'wrong', name: 'Eve' });
    await stranger.post('/_releases', activation);
    expect(write).not.toHaveBeenCalled();
    const browser = await signIn();
    const stored = JSON.stringify(write.mock.calls);
    const [id = ''] = decodeURIComponent(browser.cookies.get('operator') ?? '').split('.');
    expect(id.length).toBeGreaterThan(30);
    expect(stored).toContain('Ann');
    for (const secret of [id, operatorToken]) expect(stored).not.toContain(secret);
    write.mockClear();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    for (const hours of [3, 6, 7.9, 8.1]) {
      clock.mockImplementation(() => start + hours * 3_600_000);
      expect(await isSignedIn(openWith(browser.cookies))).toBe(hours < 8);
    }
    expect(write).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  test('outlasts any number of sign-ins with another token, also while the registry cannot be read', async () => {
    const annsSession = await signIn('', annsToken);
    const oldest = await signIn('Eve');
    for (let number = 0; number < maxSessions; number += 1) await signIn(`Eve ${number}`);
    expect([await isSignedIn(annsSession), await isSignedIn(oldest)]).toEqual([true, false]);
    jest.spyOn(running.registry, 'readSession').mockRejectedValue(new RegistryError(new Error('away')));
    expect(await isSignedIn(annsSession)).toBe(true);
    jest.restoreAllMocks();
  });

  describe('that a server remembers while the registry is down', () => {
    const goDown = () => {
      for (const call of ['readSession', 'writeSession', 'removeSession'] as const)
        jest.spyOn(running.registry, call).mockRejectedValue(new RegistryError(new Error('away')));
    };
    afterEach(() => {
      jest.restoreAllMocks();
    });

    test('ends after eight hours, too', async () => {
      const { cookies } = await signIn();
      goDown();
      const start = Date.now();
      const clock = jest.spyOn(Date, 'now');
      for (const [hours, status] of [
        [7.9, 200],
        [8.1, 401],
      ] as const) {
        clock.mockImplementation(() => start + hours * 3_600_000);
        expect((await openWith(cookies).get()).status).toBe(status);
      }
    });

    test.each<[string, (replica: string, cookies: OperatorBrowser['cookies']) => Promise<unknown>]>([
      [
        'here',
        async (_replica, cookies) => {
          const browser = openWith(cookies);
          await browser.get();
          await browser.post('/_releases/sign-out', {});
        },
      ],
      [
        'on another server, once this one has read that',
        async (replica, cookies) => {
          const browser = openWith(cookies, replica);
          await browser.get();
          await browser.post('/_releases/sign-out', {});
          await openWith(cookies).get();
        },
      ],
    ])('has ended with a sign-out %s', async (_where, signOut) => {
      const replica = await startRunningSite({ prepare, variables, registry: running.registry });
      const { cookies } = await signIn();
      await signOut(replica.url, new Map(cookies));
      goDown();
      // Neither signed in nor known not to be: the registry cannot be asked.
      expect((await openWith(cookies).get()).status).toBe(503);
    });
  });

  test('is shared by all servers of one registry, and signing out ends it on all of them, also for a copied cookie', async () => {
    const replica = await startRunningSite({ prepare, variables, registry: running.registry });
    const browser = await signIn();
    const there = openWith(browser.cookies, replica.url);
    expect(await isSignedIn(there)).toBe(true);
    const copied = new Map(browser.cookies);
    expect((await browser.post('/_releases/sign-out', {})).status).toBe(303);
    for (const url of [running.url, replica.url]) expect(await isSignedIn(openWith(copied, url))).toBe(false);
  });

  test.each([
    ['removed', `Bob:${bobsToken}`],
    ['replaced', `Ann:${annsToken}-2,Bob:${bobsToken}`],
  ])('ends once its token is %s', async (_how, OPERATOR_TOKENS) => {
    const { cookies } = await signIn('', annsToken);
    const changed = { ...variables, OPERATOR_TOKENS };
    const later = await startRunningSite({ prepare, variables: changed, registry: running.registry });
    const again = openWith(cookies, later.url);
    expect(await isSignedIn(again)).toBe(false);
    await again.signIn('Ann', annsToken);
    expect(await isSignedIn(again)).toBe(false);
  });
});

test.each([
  ['https://daybook.example', 'http', true],
  ['http://daybook.example', 'https', false],
])('cookies of a site at %s are Secure, whatever the proxy sends (%s): %s', async (PUBLIC_URL, scheme, isSecure) => {
  const site = await startRunningSite({ prepare, variables: { ...variables, PUBLIC_URL } });
  const browser = open(site.url, { 'X-Forwarded-Proto': scheme, Origin: PUBLIC_URL });
  const [page, signedIn] = [await browser.get(), await browser.signIn()];
  const set = [page, signedIn].flatMap(({ headers }) => headers['set-cookie'] ?? []);
  expect(set.length).toBeGreaterThan(1);
  for (const cookie of set) {
    expect([/; Secure(?:;|$)/.test(cookie), cookie.startsWith('__Secure-')]).toEqual([isSecure, isSecure]);
    expect(cookie).toMatch(/; Path=\/_releases;.*HttpOnly;.*SameSite=Strict/);
  }
  expect(await isSignedIn(browser)).toBe(true);
});

describe('a form', () => {
  const stranger = async () => {
    const browser = open();
    await browser.get();
    return browser;
  };
  test.each<[string, () => OperatorBrowser | Promise<OperatorBrowser>, boolean?]>([
    ['without a CSRF token', open],
    ['with a made-up CSRF token', () => Object.assign(open(), { csrfToken: 'a-b-c' })],
    ['with the CSRF token from before signing in', stranger],
    ['with the CSRF token of another session', () => signIn('Eve')],
    ['with the CSRF token and cookie of another session', () => signIn('Eve'), true],
  ])('%s changes nothing', async (_what, attacker, withCookie = false) => {
    const browser = await signIn();
    for (const [path, fields] of [['/_releases', activation] as const, ['/_releases/sign-out', {}] as const]) {
      const { cookies, csrfToken: _csrf } = await attacker();
      if (withCookie) browser.cookies.set('operator-csrf', cookies.get('operator-csrf') ?? '');
      const { status, text } = await browser.post(path, { ...fields, _csrf });
      expect([status, text]).toEqual([403, expect.stringContaining('Nothing was changed.')]);
    }
    expect(await isSignedIn(browser)).toBe(true);
    // The page of the error has the right one.
    expect((await browser.post('/_releases', activation)).status).toBe(303);
  });

  test('to sign in needs the CSRF token of its page', async () => {
    const response = await open().post('/_releases/session', { token: operatorToken, name: 'Eve' });
    expect(response.status).toBe(403);
    expect(response.headers['set-cookie']?.join() ?? '').not.toContain('operator=');
  });
});

test('sign-ins and sign-outs are recorded and logged with network and name, wrong tokens logged, and no token is in the log', async () => {
  let text = '';
  const realWrite = fs.write as (...parameters: unknown[]) => void;
  // The logger writes to the file descriptor of standard output; in a terminal, a thread would.
  const { isTTY } = process.stdout;
  process.stdout.isTTY = false;
  jest.spyOn(fs, 'write').mockImplementation((...parameters: unknown[]) => {
    const [descriptor, chunk] = parameters;
    if (descriptor !== 1) return realWrite(...parameters);
    text += String(chunk);
    (parameters.at(-1) as (error: null, bytes: number) => void)(null, Buffer.byteLength(String(chunk)));
  });
  try {
    const site = await startRunningSite({ prepare, variables: { ...variables, LOG_LEVEL: 'info' } });
    const browser = open(site.url);
    await browser.signIn('Zoë');
    await browser.signIn('', bobsToken);
    await browser.post('/_releases/sign-out', {});
    // A named token has its own name, whatever the form says.
    await browser.signIn('Eve', annsToken);
    await browser.signIn('Eve', `${annsToken}-guessed`);
    await browser.get('/_releases', { Authorization: `Bearer ${annsToken}-guessed` });
    await eventually(() =>
      expect(Array.from(text.matchAll(/"msg":"([^"]*operator[^"]*)"/gi), ([, message]) => message)).toEqual([
        `Operator Zoë signed in from ${network}/32`,
        `Operator Bob signed in from ${network}/32`,
        'Operator Bob signed out',
        `Operator Ann signed in from ${network}/32`,
        `Rejected a wrong operator token from ${network}/32`,
        `Rejected a wrong operator token from ${network}/32`,
      ]),
    );
    for (const secret of [operatorToken, annsToken, bobsToken]) expect(text).not.toContain(secret);
    const recorded = await site.registry.signIns();
    expect(recorded.map((each) => `${each.operator} ${each.action} ${each.network}`)).toEqual([
      `Zoë sign-in ${network}/32`,
      `Bob sign-in ${network}/32`,
      `Bob sign-out ${network}/32`,
      `Ann sign-in ${network}/32`,
    ]);
  } finally {
    jest.restoreAllMocks();
    process.stdout.isTTY = isTTY;
  }
});

test('guessing tokens is rate limited by network across sign-in and scripts, also for very long tokens', async () => {
  const browser = open();
  await browser.get();
  const guess = (token: string) => browser.post('/_releases/session', { token, name: 'Eve' });
  for (let number = 0; number < 5; number += 1) {
    expect((await guess(`${number}`.repeat(9_000))).status).toBe(401);
    expect((await browser.get('/_releases', { Authorization: `Bearer ${number}` })).status).toBe(401);
  }
  const late = await guess('wrong');
  expect([late.status, late.text]).toEqual([429, expect.stringContaining('Too many wrong operator tokens.')]);
  expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
  // A stranger behind the same address does not keep an operator from a rollback.
  expect((await browser.get('/_releases', { Authorization: `Bearer ${annsToken}` })).status).toBe(200);
  expect((await guess(operatorToken)).status).toBe(303);
});
