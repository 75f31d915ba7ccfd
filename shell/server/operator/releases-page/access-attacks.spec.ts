import fs from 'node:fs';
import { MemoryRegistry } from '@daybook/releases/server';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { versionOf } from '../../../../packages/releases/src/test/release-folder.ts';
import { changeRelease, OperatorBrowser, operatorToken } from '../../test/operator.ts';
import {
  prepareTwoRemotes as prepare,
  type RunningSite,
  sitesOfOneTest,
  startRunningSite,
} from '../../test/running-site.ts';
import { send } from '../../test/send.ts';

const annsToken = 'qX7-token-of-ann-in-a-test';
const bobsToken = 'wZ3-token-of-bob-in-a-test';

const variables = {
  OPERATOR_TOKEN: operatorToken,
  OPERATOR_TOKENS: `Ann:${annsToken},Bob:${bobsToken}`,
  TRUSTED_PROXIES: '1',
};

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({ prepare, variables, registry: new WatchedRegistry() });
  await eventually(async () => expect((await send(running.address, '/terms')).status).toBe(200));
});
afterAll(() => running.stop());
const startAnother = sitesOfOneTest();
afterEach(async () => void (await changeRelease(running.address, { remote: 'mf-legal', change: 'unpin' })));

/** Each test has its own network. */
let network = '';
let networks = 0;
beforeEach(() => {
  networks += 1;
  network = `192.0.2.${networks}`;
});
const open = (address = running.address, headers = {}) =>
  new OperatorBrowser(address, { 'X-Forwarded-For': network, ...headers });

/** A browser with a copy of another's cookies. */
const openWith = (cookies: OperatorBrowser['cookies'], address?: string) => {
  const browser = open(address);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

const pin = { remote: 'mf-legal', change: 'pin', version: versionOf(1) };
const isSignedIn = async (browser: OperatorBrowser) => (await browser.get()).text.includes('Signed in as');
/** The sessions that were written to the registry, by the hashes of their ids. */
const storedSessions = new Map<string, string>();
class WatchedRegistry extends MemoryRegistry {
  override writeSession(id: string, content: object, expiresAt: Date): Promise<void> {
    storedSessions.set(id, JSON.stringify(content));
    return super.writeSession(id, content, expiresAt);
  }
}

describe('a session', () => {
  test('is ended on the server by signing out, also for a copied cookie', async () => {
    const browser = open();
    await browser.signIn();
    const copied = new Map(browser.cookies);
    expect(await isSignedIn(openWith(copied))).toBe(true);
    expect((await browser.post('/_releases/sign-out', {})).status).toBe(303);
    expect(await isSignedIn(openWith(copied))).toBe(false);
  });

  test('gets a new id with each sign-in, never that of the client, and the previous id is invalid', async () => {
    const browser = open();
    browser.cookies.set('operator', 'a'.repeat(32));
    await browser.signIn();
    expect(browser.cookies.get('operator')).not.toContain('a'.repeat(32));
    const before = new Map(browser.cookies);
    await browser.post('/_releases/session', { token: operatorToken, name: 'Ann' });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(openWith(before))).toBe(false);
  });

  test.each(['', 'x', 'operator.', '../../log.jsonl', '%ZZ', 'a'.repeat(4_000)])(
    'is not opened by a forged cookie: %j',
    async (value) => {
      expect((await open().get('/_releases', { Cookie: `operator=${value}` })).status).toBe(401);
    },
  );

  test('is not opened by a different id with the same signature', async () => {
    const [one, other] = [open(), open()];
    await one.signIn();
    await other.signIn();
    const [id = ''] = (one.cookies.get('operator') ?? '').split('.');
    const [, signature = ''] = (other.cookies.get('operator') ?? '').split('.');
    expect((await open().get('/_releases', { Cookie: `operator=${id}.${signature}` })).status).toBe(401);
    const signed = decodeURIComponent(one.cookies.get('operator') ?? '');
    expect((await open().get('/_releases', { Cookie: `operator=${signed.slice(0, -1)}` })).status).toBe(401);
  });

  test('ends eight hours after signing in, even if it is in use', async () => {
    const browser = open();
    await browser.signIn();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    for (const hours of [3, 6, 7.9]) {
      clock.mockImplementation(() => start + hours * 3_600_000);
      expect(await isSignedIn(browser)).toBe(true);
    }
    const cookies = new Map(browser.cookies);
    clock.mockImplementation(() => start + 8 * 3_600_000 + 60_000);
    const stored = [...storedSessions.keys()];
    expect(await isSignedIn(openWith(cookies))).toBe(false);
    expect(stored).toEqual(expect.arrayContaining([...storedSessions.keys()]));
    clock.mockRestore();
  });

  test('is stored only after signing in, without its id', async () => {
    const before = storedSessions.size;
    const stranger = open();
    await stranger.get();
    await stranger.post('/_releases/session', { token: 'wrong', name: 'Eve' });
    await stranger.post('/_releases', pin);
    expect(storedSessions.size).toBe(before);
    const browser = open();
    await browser.signIn();
    const stored = [...storedSessions].flat().join();
    const [id = ''] = decodeURIComponent(browser.cookies.get('operator') ?? '').split('.');
    expect(id.length).toBeGreaterThan(30);
    expect(stored).toContain('Ann');
    expect(stored).not.toContain(id);
    expect(stored).not.toContain(operatorToken);
  });

  test('is shared by all servers of one registry, and ends on all of them', async () => {
    const replica = await startAnother({ prepare, variables, registry: running.registry });
    const browser = open();
    await browser.signIn();
    const there = openWith(browser.cookies, replica.address);
    expect(await isSignedIn(there)).toBe(true);
    await browser.post('/_releases/sign-out', {});
    expect(await isSignedIn(there)).toBe(false);
  });

  test.each([
    ['removed', `Bob:${bobsToken}`],
    ['replaced', `Ann:${annsToken}-2,Bob:${bobsToken}`],
  ])('ends once its token is %s', async (_how, OPERATOR_TOKENS) => {
    const browser = open();
    await browser.signIn('', annsToken);
    expect(await isSignedIn(browser)).toBe(true);
    const later = await startAnother({
      prepare,
      variables: { ...variables, OPERATOR_TOKENS },
      registry: running.registry,
    });
    const again = openWith(browser.cookies, later.address);
    expect(await isSignedIn(again)).toBe(false);
    await again.signIn('Ann', annsToken);
    expect(await isSignedIn(again)).toBe(false);
  });
});

describe('cookies', () => {
  test.each([
    ['https://daybook.example', 'http', true],
    ['http://daybook.example', 'https', false],
  ])('of a site at %s are Secure, whatever the proxy sends (%s): %s', async (PUBLIC_URL, scheme, isSecure) => {
    const site = await startAnother({ prepare, variables: { ...variables, PUBLIC_URL } });
    const browser = open(site.address, { 'X-Forwarded-Proto': scheme, Origin: PUBLIC_URL });
    const page = await browser.get();
    const signedIn = await browser.signIn();
    const set = [...(page.headers['set-cookie'] ?? []), ...(signedIn.headers['set-cookie'] ?? [])];
    expect(set.length).toBeGreaterThan(0);
    for (const cookie of set) {
      expect(/; Secure(?:;|$)/.test(cookie)).toBe(isSecure);
      expect(cookie.startsWith('__Secure-')).toBe(isSecure);
      expect(cookie).toMatch(/; Path=\/_releases;.*HttpOnly;.*SameSite=Strict/);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a form', () => {
  const attacks: readonly [string, (browser: OperatorBrowser) => Promise<Record<string, string>>][] = [
    ['without a CSRF token', async () => ({ _csrf: '' })],
    ['with a made-up CSRF token', async () => ({ _csrf: 'a-b-c' })],
    [
      'with the CSRF token from before signing in',
      async () => {
        const stranger = open();
        await stranger.get();
        return { _csrf: stranger.csrfToken };
      },
    ],
    [
      'with the CSRF token of another session',
      async () => {
        const other = open();
        await other.signIn('Eve');
        return { _csrf: other.csrfToken };
      },
    ],
  ];
  test.each(attacks)('%s changes nothing', async (_what, attack) => {
    const browser = open();
    await browser.signIn();
    const response = await browser.post('/_releases', { ...pin, ...(await attack(browser)) });
    expect(response.status).toBe(403);
    expect(response.text).toContain('Nothing was changed.');
    expect((await browser.post('/_releases/sign-out', await attack(browser))).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
    // The page of the error has the right one.
    expect((await browser.post('/_releases', pin)).status).toBe(303);
  });

  test('with the CSRF cookie and token of another session changes nothing', async () => {
    const [browser, other] = [open(), open()];
    await browser.signIn();
    await other.signIn('Eve');
    browser.cookies.set('operator-csrf', other.cookies.get('operator-csrf') ?? '');
    expect((await browser.post('/_releases', { ...pin, _csrf: other.csrfToken })).status).toBe(403);
  });

  test('to sign in needs the CSRF token of its page', async () => {
    const response = await open().post('/_releases/session', { token: operatorToken, name: 'Eve' });
    expect(response.status).toBe(403);
    expect(response.headers['set-cookie']?.join() ?? '').not.toContain('operator=');
  });
});

describe('a script', () => {
  const script = (headers: Record<string, string>) => {
    const body = new URLSearchParams(pin).toString();
    const sent = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': network, ...headers };
    return send(running.address, '/_releases', { method: 'POST', body, headers: sent });
  };
  const lastBy = async () => (await running.registry.read(new Map())).changes.at(-1)?.by;

  test("needs no CSRF token, and can't use a browser's cookie instead", async () => {
    const browser = open();
    await browser.signIn();
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await script({ Authorization: `Bearer ${operatorToken}` })).status).toBe(303);
    expect((await script({ Authorization: 'Bearer wrong', Cookie })).status).toBe(401);
  });

  test('is logged under the name of its token, whatever name it sends', async () => {
    const Authorization = `Bearer ${bobsToken}`;
    expect((await script({ Authorization, 'Operator-Name': 'Ann' })).status).toBe(303);
    expect(await lastBy()).toBe('Bob');
  });
});

describe('a named token', () => {
  test('signs in without a name, and takes precedence over the form', async () => {
    const browser = open();
    await browser.signIn('Eve', annsToken);
    expect((await browser.get()).text).toContain('Signed in as Ann<');
    expect((await browser.post('/_releases', pin)).status).toBe(303);
    expect((await browser.get()).text).toMatch(/data-label="By">Ann</);
  });

  test('removes the name field if all tokens are named', async () => {
    const site = await startAnother({ prepare, variables: { OPERATOR_TOKENS: `Ann:${annsToken}` } });
    const browser = new OperatorBrowser(site.address);
    expect((await browser.get()).text).not.toContain('Your name');
    await browser.signIn('', annsToken);
    expect(await isSignedIn(browser)).toBe(true);
  });
});

test('sign-ins, sign-outs and wrong tokens are logged with name and network, and without tokens', async () => {
  let text = '';
  const realWrite = fs.write as (...parameters: unknown[]) => void;
  // The logger writes to the file descriptor of standard output.
  const write = jest.spyOn(fs, 'write').mockImplementation((...parameters: unknown[]) => {
    const [descriptor, chunk] = parameters;
    if (descriptor !== 1) return realWrite(...parameters);
    text += String(chunk);
    (parameters.at(-1) as (error: null, bytes: number) => void)(null, Buffer.byteLength(String(chunk)));
  });
  const site = await startAnother({ prepare, variables: { ...variables, LOG_LEVEL: 'info' } });
  const browser = open(site.address);
  try {
    await browser.signIn('Zoë');
    await browser.signIn('', bobsToken);
    await browser.post('/_releases/sign-out', {});
    await browser.signIn('Eve', `${annsToken}-guessed`);
    await browser.get('/_releases', { Authorization: `Bearer ${annsToken}-guessed` });
    await eventually(async () => {
      const messages = [...text.matchAll(/"msg":"([^"]*operator[^"]*)"/gi)].map(([, message]) => message);
      expect(messages).toEqual([
        `Operator Zoë signed in from ${network}/32`,
        `Operator Bob signed in from ${network}/32`,
        'Operator Bob signed out',
        `Rejected a wrong operator token from ${network}/32`,
        `Rejected a wrong operator token from ${network}/32`,
      ]);
      for (const secret of [operatorToken, annsToken, bobsToken]) expect(text).not.toContain(secret);
    });
    // Whoever floods the log cannot push these out.
    const recorded = await site.registry.signIns();
    expect(recorded.map(({ at, ...each }) => each)).toEqual([
      { operator: 'Zoë', action: 'sign-in', network: `${network}/32` },
      { operator: 'Bob', action: 'sign-in', network: `${network}/32` },
      { operator: 'Bob', action: 'sign-out', network: `${network}/32` },
    ]);
  } finally {
    write.mockRestore();
  }
});

describe('guessing tokens', () => {
  test('is rate limited by network across sign-in and scripts, also for very long tokens', async () => {
    const browser = open();
    await browser.get();
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await browser.post('/_releases/session', { token: `${guess}`.repeat(9_000), name: 'Eve' })).status).toBe(
        401,
      );
      expect((await browser.get('/_releases', { Authorization: `Bearer ${guess}` })).status).toBe(401);
    }
    const late = await browser.post('/_releases/session', { token: operatorToken, name: 'Eve' });
    expect(late.status).toBe(429);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    expect(late.text).toContain('Too many wrong operator tokens.');
    expect((await browser.get('/_releases', { Authorization: `Bearer ${annsToken}` })).status).toBe(429);
  });
});
