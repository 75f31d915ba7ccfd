import { eventually } from '@daybook/testing/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { versionOf } from '../../../../packages/releases/src/test/release-folder.ts';
import { bearer, OperatorBrowser, operatorToken as token } from '../../test/operator.ts';
import {
  legalRelease,
  prepareTwoRemotes,
  type RunningSite,
  sitesOfOneTest,
  startRunningSite,
} from '../../test/running-site.ts';
import { send } from '../../test/send.ts';

const [first, second] = [versionOf(1), versionOf(2)];

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: prepareTwoRemotes,
    variables: { OPERATOR_TOKEN: token, TRUSTED_PROXIES: '1' },
  });
  running.site.release(legalRelease(2));
  await eventually(async () => expect(await served()).toBe(second));
});
afterAll(() => running.stop());
const startAnother = sitesOfOneTest();

/** Each test has its own client. */
let client = '';
let clients = 0;
beforeEach(() => {
  clients += 1;
  client = `192.0.2.${clients}`;
});
/** Each test begins with the second release active. */
afterEach(async () => {
  if ((await served()) !== second)
    await post('/_releases', { remote: 'mf-legal', change: 'promote', version: second }, bearer);
});

/** The version of mf-legal that a new visitor gets. */
async function served(): Promise<string | undefined> {
  return /mf-legal\/([^/]+)\/remoteEntry/.exec((await send(running.address, '/terms')).text)?.[1];
}

const get = (path = '/_releases', headers = {}) =>
  send(running.address, path, { headers: { 'X-Forwarded-For': client, ...headers } });
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(running.address, path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': client,
      Origin: running.address,
      ...headers,
    },
  });
const open = () => new OperatorBrowser(running.address, { 'X-Forwarded-For': client });
const signIn = async (name = 'Ann') => {
  const browser = open();
  await browser.signIn(name);
  return browser;
};
/** Makes a change as a signed-in operator; returns the response and the next page. */
const change = async (fields: Record<string, string>) => {
  const browser = await signIn();
  const made = await browser.post('/_releases', { remote: 'mf-legal', ...fields });
  return { ...made, browser };
};
/** Returns the operators of the logged changes, the latest first. */
const logged = async () => {
  const { text } = await get('/_releases', bearer);
  return [...text.matchAll(/data-label="By">(.*?)<.*?data-label="Why">(.*?)</g)].map(([, by, why]) => `${by}: ${why}`);
};

test('/_releases does not exist without an operator token', async () => {
  const other = await startAnother({ prepare: prepareTwoRemotes });
  const unknown = await send(other.address, '/nowhere');
  for (const path of ['/_releases', '/_releases/style.css', '/_releases/session']) {
    const { status, text } = await send(other.address, path, { headers: bearer });
    expect([status, text]).toEqual([404, unknown.text]);
    expect((await send(other.address, path, { method: 'POST' })).status).toBe(404);
  }
});

describe('without a session', () => {
  test('the sign-in page is served', async () => {
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
  });

  test('nothing can be changed, also not by a GET', async () => {
    const { status, text } = await post('/_releases', { remote: 'mf-legal', change: 'rollback' });
    expect(status).toBe(401);
    expect(text).toContain('Nothing was changed.');
    await get('/_releases?remote=mf-legal&change=rollback', bearer);
    expect(await served()).toBe(second);
    for (const path of ['/_releases/session', '/_releases/sign-out'])
      expect((await get(path)).headers.location).toBe('/_releases');
  });

  test('the style sheet is served, and cached forever', async () => {
    const [, address = ''] = /href="(\/_releases\/style\.css\?v=[0-9a-f]{8})"/.exec((await get()).text) ?? [];
    const { status, headers } = await get(address);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
  });
});

describe('signing in', () => {
  test('with the token and a name opens a session for these pages only', async () => {
    const browser = open();
    await browser.get();
    const response = await browser.post('/_releases/session', { token: ` ${token} `, name: ' Ann ' });
    expect([response.status, response.headers.location]).toEqual([303, '/_releases']);
    const [cookie = ''] = response.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^operator=.+; Path=\/_releases; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(token);
    const page = await browser.get();
    expect(page.status).toBe(200);
    expect(page.text).toContain('Signed in as Ann<');
    expect(page.text).toContain(second);
  });

  test('with a wrong token shows an error and refills the name, not the token', async () => {
    const browser = open();
    await browser.get();
    const { status, text } = await browser.post('/_releases/session', { token: 'a-wrong-one', name: '"Ann"' });
    expect(status).toBe(401);
    expect(text).toContain('This is not an operator token.');
    expect(text).toContain('value="&quot;Ann&quot;"');
    expect(text).not.toContain('a-wrong-one');
    expect(browser.cookies.has('operator')).toBe(false);
  });

  test.each(['   ', 'a'.repeat(61), 'Ann\u0007'])("rejects a name that can't be logged: %j", async (name) => {
    const { status, text } = await open().signIn(name);
    expect(status).toBe(400);
    expect(text).toMatch(/Write (?:your|a|the) name/);
  });
});

describe('a change', () => {
  test('is made, announced on the page, and logged with name and reason, once for each rendered form', async () => {
    const [, revision = ''] = /name="revision" value="(\d+)"/.exec((await get('/_releases', bearer)).text) ?? [];
    const { browser, ...made } = await change({ change: 'rollback', why: ' no\n heading ', revision });
    expect([made.status, made.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/_releases\?done=mf-legal\.\d+$/),
    ]);
    expect(await served()).toBe(first);
    const page = await browser.get(made.headers.location);
    expect(page.text).toContain('role="status"');
    expect(page.text).toContain(`mf-legal: ${second} is rolled back; visitors get ${first}.`);
    expect(page.text).toContain('<title>Done: Releases | Daybook</title>');
    expect((await browser.get()).text).not.toContain('role="status"');
    expect((await logged())[0]).toBe('Ann: no heading');
    const late = await change({ change: 'rollback', revision });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('has been changed in the meantime')]);
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(Date.now() + 61_000);
    expect((await browser.get(made.headers.location)).text).not.toContain('role="status"');
    clock.mockRestore();
  });

  test.each(['', 'mf-legal.999', '<script>', 'mf-legal.1%00', 'mf-legal.1&done=mf-legal.2'])(
    'is not announced if it was not made: done=%s',
    async (done) => {
      const { status, text } = await get(`/_releases?done=${done}`, bearer);
      expect(status).toBe(200);
      expect(text).not.toMatch(/role="status"|<script/);
    },
  );

  test('can be a pin, a canary, a new share, a promotion and an unpin', async () => {
    const steps: readonly [Record<string, string>, string][] = [
      [{ change: 'pin', version: first }, `pinned to ${first}`],
      [{ change: 'canary', version: second, percent: '20' }, `20 % of visitors get ${second}`],
      [{ change: 'canary', version: second, percent: '1' }, `1 % of visitors get ${second}`],
      [{ change: 'promote', version: second }, `all visitors get ${second}`],
      // Not earlier: the mirror may activate the newer release at any moment after it.
      [
        { change: 'unpin' },
        `no longer pinned to ${second}.\nThe next release at its origin is activated automatically.`,
      ],
      [{ change: 'rollback', version: first }, `visitors get ${first}`],
    ];
    for (const [fields, sentence] of steps) {
      const { status, text } = await change(fields);
      expect([status, text]).toEqual([303, expect.stringContaining(sentence)]);
    }
    expect(await served()).toBe(first);
  });

  test('that rolls a pinned release back needs the version', async () => {
    await change({ change: 'pin', version: second });
    const before = await logged();
    const { status, text } = await change({ change: 'rollback' });
    expect([status, text]).toEqual([422, expect.stringContaining(`mf-legal is pinned to ${second}`)]);
    expect(await logged()).toEqual(before);
    await change({ change: 'unpin' });
  });

  test.each<[number, Record<string, string>, RegExp]>([
    [400, { change: 'destroy' }, /“change” has to be one of/],
    [400, { change: 'pin' }, /“version” is missing/],
    [400, { change: 'rollback', why: 'a'.repeat(201) }, /at most 200 characters/],
    [400, { change: 'rollback', revision: '1e9' }, /“revision” has to be a number/],
    [422, { change: 'rollback', remote: '<script>' }, /There is no remote “&lt;script&gt;”/],
    [422, { change: 'pin', version: '../../secret' }, /no stored release “\.\.\/\.\.\/secret”/],
    [422, { change: 'canary', version: first, percent: '150' }, /whole number from 0 to 100, not “150”/],
    [422, { change: 'canary', version: second, percent: '5' }, /is active for all visitors already/],
    [422, { change: 'unpin' }, /is not pinned/],
  ])('that can’t be made is rejected with %i: %j', async (status, fields, message) => {
    const before = await logged();
    const response = await change(fields);
    expect(response.status).toBe(status);
    expect(response.text).toMatch(message);
    expect(response.text).toContain('role="alert"');
    expect(response.text).toContain('<title>Not done: Releases | Daybook</title>');
    expect(response.text).toContain('Nothing was changed.');
    expect(response.text).toContain('<h2 id="mf-legal">');
    expect(await served()).toBe(second);
    expect(await logged()).toEqual(before);
  });

  test.each([
    ['application/json', '{"remote":"mf-legal","change":"rollback"}', 415],
    ['application/x-www-form-urlencoded', `why=${'a'.repeat(10_001)}`, 413],
  ])('is rejected if the form is too large or of another type: %s', async (type, body, status) => {
    const headers = { ...bearer, 'Content-Type': type };
    expect((await send(running.address, '/_releases', { method: 'POST', body, headers })).status).toBe(status);
    expect(await served()).toBe(second);
  });
});

describe('a script', () => {
  const script = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    post('/_releases', { remote: 'mf-legal', ...fields }, { Origin: '', ...bearer, ...headers });

  test('makes a change with the token only, and gets lines of text', async () => {
    const { status, text, headers } = await script({ change: 'rollback' });
    expect([status, headers['content-type']]).toEqual([303, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^mf-legal: .* is rolled back; visitors get .*\n/);
    expect((await logged())[0]).toBe('operator token: rolled back');
    const rejected = await script({ change: 'unpin' });
    expect([rejected.status, rejected.text]).toEqual([
      422,
      expect.stringMatching(/is not pinned.*\nNothing was changed\.\n$/),
    ]);
  });

  test.each(['Bearer', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`])(
    'is rejected with %s',
    async (Authorization) => {
      const { status, text, headers } = await script({ change: 'rollback' }, { Authorization });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(text).toBe('This is not an operator token.\nNothing was changed.\n');
      expect(await served()).toBe(second);
    },
  );
});
