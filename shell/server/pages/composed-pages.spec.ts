import { fragmentSettings, pageDataElementId } from '@daybook/contract/page';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { integrity, releaseOf, routeOf } from '../../../packages/releases/src/test/temporary-site.ts';
import { readMetrics } from '../test/operator.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';
import { type Sent, send } from '../test/send.ts';

const file = { integrity, size: 7 };
const fragment = 'fragments/terms.00000001.html';

/** A release with a fragment for one of its two routes; all of its files have the same content. */
const legal = releaseOf('mf-legal', {
  routes: [routeOf('/terms', { fragment }), routeOf('/plain')],
  files: { 'remoteEntry.00000001.js': file, [fragment]: file },
});

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: (folders) => folders.release(legal, `<h1>Terms in ${fragmentSettings.year}</h1>`),
  });
  // The server starts without a release that takes longer than five seconds, as the check of a fragment may.
  await eventually(async () => expect((await get('/terms')).status).toBe(200));
});
afterAll(() => running.stop());

afterEach(() => {
  jest.useRealTimers();
});

const get = (path: string, sent: Sent = {}) => send(running.address, path, sent);

async function problems(): Promise<number> {
  const text = await readMetrics(running.address);
  return Number(
    /^daybook_release_problems_total\{remote="mf-legal",reason="not-composed"\} (\d+)$/m.exec(text)?.[1] ?? 0,
  );
}

describe('a page with a fragment', () => {
  test('is served complete, in its frame', async () => {
    expect((await get('/terms')).text).toContain(
      '<div id="daybook-page"><header>site</header><main><div data-remote="mf-legal@1.0.0-00000001"><h1>Terms in ' +
        `${new Date().getUTCFullYear()}</h1></div></main>`,
    );
    expect(await problems()).toBe(0);
  });

  test('sends its length, also for HEAD, and a 304 if unchanged', async () => {
    const { headers, text } = await get('/terms');
    const length = String(Buffer.byteLength(text));
    expect(headers['content-length']).toBe(length);
    expect((await get('/terms', { method: 'HEAD' })).headers['content-length']).toBe(length);
    const again = await get('/terms', { headers: { 'If-None-Match': String(headers.etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    // Browsers apply the headers of a 304: the same policy for the same document.
    expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
  });

  test('has the current year (UTC) in its HTML and in its data, with another ETag in the next one', async () => {
    const open = async (now: string, sent: Sent = {}) => {
      // Only the date: the server's timers and sockets continue.
      const doNotFake = [
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'setInterval',
        'setTimeout',
      ] as const;
      jest.useFakeTimers({ now: new Date(now), doNotFake: [...doNotFake] });
      const { status, headers, text } = await get('/terms', sent);
      const data = new RegExp(`id="${pageDataElementId}">(.*?)</script>`).exec(text)?.[1];
      return {
        status,
        etag: String(headers.etag),
        years: [/Terms in (\d+)/.exec(text)?.[1], data && JSON.parse(data).settings.year],
      };
    };
    const before = await open('2026-12-31T23:59:59.999Z');
    expect(before).toMatchObject({ status: 200, years: ['2026', '2026'] });
    const headers = { 'If-None-Match': before.etag };
    expect((await open('2026-12-31T23:59:59.999Z', { headers })).status).toBe(304);
    const after = await open('2027-01-01T00:00:00.000Z', { headers });
    expect(after).toMatchObject({ status: 200, years: ['2027', '2027'] });
    expect(after.etag).not.toBe(before.etag);
  });

  test('is served beside the page for unknown paths', async () => {
    const { status, text, headers } = await get('/nowhere');
    // mf-signup has no release.
    expect([status, headers['cache-control']]).toEqual([503, 'no-cache, no-transform']);
    expect(text).toContain('<main data-failed-remote="mf-signup"><code>mf-signup</code></main>');
  });
});

describe('a page that is rendered in the browser', () => {
  test('has an empty root, and is counted once, without a fragment', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { status, text, headers } = await get('/plain');
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache, no-transform']);
      expect(text).toContain('<div id="daybook-page"></div>');
    }
    expect(await problems()).toBe(1);
  });
});
