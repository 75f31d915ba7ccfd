import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { shellParts } from '@daybook/contract/parts';
import { hashOfToken, newPreviewToken, releaseLimits } from '@daybook/releases';
import { connectionLimits } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { newSigner, releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { signRequest } from '../../../packages/releases/src/signature/request-signature.ts';
import { bearer, operatorToken } from '../test/operator.ts';
import { described, multipartBody, multipartType, publicUrl, sendParts, signedPush } from '../test/pushing.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';
import { maxUpload, uploadTime } from './read-upload.ts';

const remote = 'mf-legal';
const [team, other] = [newSigner(), newSigner()];
const variables = {
  OPERATOR_TOKEN: operatorToken,
  TEAM_KEYS: `mf-legal:${team.publicKey},mf-signup:${other.publicKey}`,
};

let site: RunningSite;
beforeEach(async () => {
  site = await startRunningSite({ variables });
});

/** A release of mf-legal with its page and some files; the content of its entry is its version. */
function legal(number: number, changes: object = {}, more: Record<string, string | Buffer> = {}) {
  const version = versionOf(number);
  const entry = `remoteEntry.0000000${number}.js`;
  const release = releaseOf(remote, { version, entry, routes: [routeOf('/terms')], ...changes });
  return described(release, { [entry]: version, 'a/style.css': 'body {}', ...more });
}

type PushOptions = Partial<Parameters<typeof signedPush>[0]>;
/** Pushes a release as its team. */
async function push(number: number, options: PushOptions & { readonly to?: RunningSite } = {}) {
  const { path: url, token, parts } = await signedPush({ ...legal(number), signer: team, ...options });
  return resultOf(await sendParts((options.to ?? site).url, url, token, parts));
}
function resultOf({ status, text, headers }: Awaited<ReturnType<typeof send>>) {
  const { lines = [], message, ...rest } = JSON.parse(text);
  return { status, headers, said: message ?? lines.join('\n'), ...rest };
}

/** Makes a deployment as a team. */
async function deploy(fields: object, options: { signer?: typeof team; of?: string; on?: string; now?: number } = {}) {
  const { signer = team, of = remote, on = of, now } = options;
  const url = `/_releases/api/${on}/deployments`;
  const body = JSON.stringify(fields);
  const token = await signRequest({ site: publicUrl, method: 'POST', path: url, body }, of, signer, now);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = () => send(site.url, url, { method: 'POST', headers, body });
  return Object.assign(resultOf(await request()), { again: async () => resultOf(await request()) });
}
const operate = async (fields: object) => {
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(fields) };
  return resultOf(await send(site.url, `/_releases/api/${remote}/deployments`, sent));
};

const active = async (of = site) => {
  const { remotes } = JSON.parse((await send(of.url, '/registry.json')).text);
  return remotes.find(({ name }: { name: string }) => name === remote)?.version;
};
/** What a failed request may not leave behind: rows and files. */
async function leftovers(of = site) {
  const { releases, deployments } = await of.registry.read(new Map());
  const folder = path.join(of.site.folder, 'releases');
  const list = (name: string) => {
    try {
      return readdirSync(path.join(folder, name));
    } catch {
      return [];
    }
  };
  return [releases.filter((each) => each.remote !== 'shell'), deployments, list('.incoming'), list(remote)];
}
const nothing = [[], [], [], []];

describe('a pushed release', () => {
  test('is stored whole, active at once, and the response says so', async () => {
    const first = await push(1);
    expect([first.status, first.said]).toEqual([201, `mf-legal: all visitors get ${versionOf(1)} instead of nothing.`]);
    expect(await active()).toBe(versionOf(1));
    expect((await send(site.url, '/terms')).status).toBe(200);
    const style = await send(site.url, `/remotes/mf-legal/${versionOf(1)}/a/style.css`);
    expect([style.status, style.text]).toEqual([200, 'body {}']);
    const second = await push(2, { parts: legal(2).parts.toReversed() });
    expect(second).toMatchObject({
      status: 201,
      version: versionOf(2),
      replaced: versionOf(1),
      deployment: { number: 2 },
    });
    expect(second.deployment.by).toBe(`team of mf-legal (key ${team.publicKey.slice(0, 8)}…)`);
    expect((await leftovers())[2]).toEqual([]);
  });

  test('that was active before changes nothing, also after a rollback, and says what visitors get', async () => {
    await push(1);
    await push(2);
    const again = await push(2);
    expect([again.status, again.said]).toEqual([
      200,
      `mf-legal@${versionOf(2)} was published before; nothing has changed.\nAll visitors get it.`,
    ]);
    await operate({ action: 'rollback' });
    const after = await push(2);
    expect([after.status, after.said]).toEqual([
      200,
      expect.stringContaining(
        `Visitors get ${versionOf(1)}: ${versionOf(2)} was rolled back. To give it to them, activate it.`,
      ),
    ]);
    expect([await active(), (await leftovers())[1]?.length]).toEqual([versionOf(1), 3]);
  });

  test('is only stored while its remote is held', async () => {
    await push(1);
    await operate({ action: 'hold' });
    const held = await push(2);
    expect([held.status, held.outcome, held.said]).toEqual([
      409,
      'held',
      expect.stringContaining(
        `mf-legal@${versionOf(2)} is stored and not active: mf-legal is held by operator token. Visitors get ${versionOf(1)}.`,
      ),
    ]);
    expect(await active()).toBe(versionOf(1));
    await operate({ action: 'lift' });
    // As a container that starts again does.
    const again = await push(2);
    expect([again.status, again.outcome, again.said]).toEqual([
      200,
      'known',
      expect.stringContaining(`Visitors get ${versionOf(1)}. To give it to them, activate it.`),
    ]);
    expect(await active()).toBe(versionOf(1));
    expect((await operate({ action: 'activate', version: versionOf(2) })).status).toBe(201);
  });

  test('can be a canary, then the same is for all; repeating or replaying it does not begin it again', async () => {
    await push(1);
    const canary = await push(2, { query: '?percent=10' });
    expect([canary.status, canary.said]).toEqual([
      201,
      `mf-legal: 10 % of visitors get ${versionOf(2)}, all others ${versionOf(1)}.`,
    ]);
    await operate({ action: 'end' });
    expect((await push(2, { query: '?percent=10' })).status).toBe(200);
    const released = await push(2);
    expect([released.status, await active()]).toEqual([201, versionOf(2)]);
  });

  test('can be a preview, which its link shows, and which does not begin again', async () => {
    await push(1);
    const token = newPreviewToken();
    const query = `?preview=${hashOfToken(token)}`;
    expect((await push(2, { query })).status).toBe(201);
    const shown = () => send(site.url, `/_preview/${token}`);
    expect((await shown()).status).toBe(303);
    expect((await push(2, { query })).said).toContain('Visitors with its link get it');
    await operate({ action: 'end' });
    expect([(await push(2, { query })).status, (await shown()).status, await active()]).toEqual([
      200,
      404,
      versionOf(1),
    ]);
    expect((await push(2, { query: `?preview=${hashOfToken(newPreviewToken())}` })).status).toBe(201);
    expect((await push(2)).status).toBe(201);
  });

  test.each([
    ['?percent=0', 400],
    ['?percent=100', 400],
    ['?percent=10', 422],
    ['?preview=short', 400],
    [`?percent=5&preview=${'a'.repeat(43)}`, 400],
  ])('with a wrong query leaves nothing: %s', async (query, status) => {
    expect((await push(1, { query })).status).toBe(status);
    expect(await leftovers()).toEqual(nothing);
  });

  test('that was compared with another release than visitors have by now is refused, unless it is a preview or known', async () => {
    expect((await push(1, { query: '?base=none' })).status).toBe(201);
    expect((await push(2, { query: `?base=${versionOf(1)}` })).status).toBe(201);
    for (const query of ['?base=none', `?base=${versionOf(1)}`, `?base=${versionOf(1)}&percent=10`]) {
      const late = await push(3, { query });
      expect([late.status, late.said]).toEqual([
        409,
        expect.stringMatching(
          /^Changed meanwhile: visitors have mf-legal@1\.0\.2-00000002 \(by team of mf-legal .*Nothing was published/,
        ),
      ]);
    }
    expect(await active()).toBe(versionOf(2));
    // A repeated request, whose first response was lost.
    expect((await push(2, { query: `?base=${versionOf(1)}` })).status).toBe(200);
    const query = `?preview=${hashOfToken(newPreviewToken())}&base=${versionOf(1)}`;
    expect((await push(3, { query })).status).toBe(201);
    const replacing = await push(3, { query: `?base=${versionOf(2)}&why=an%20old%20branch,%20on%20purpose` });
    expect([replacing.status, replacing.deployment.why]).toEqual([201, 'an old branch, on purpose']);
  });

  test('whose sources were committed afterwards gets its commit by being sent again, on every server', async () => {
    const replica = await startRunningSite({ variables, registry: site.registry });
    const committed = { commit: 'a'.repeat(40), author: 'Ann' };
    const manifestOf = `/remotes/mf-legal/${versionOf(1)}/release.json`;
    const commitAt = async ({ url }: RunningSite) => JSON.parse((await send(url, manifestOf)).text).commit;
    await push(1);
    expect(await commitAt(site)).toBeUndefined();
    const before = await send(site.url, manifestOf);
    const revalidate = () => send(site.url, manifestOf, { headers: { 'If-None-Match': before.headers.etag } });
    expect((await revalidate()).status).toBe(304);
    expect((await push(1, legal(1, committed))).status).toBe(200);
    for (const each of [site, replica])
      await eventually(async () => expect(await commitAt(each)).toBe(committed.commit));
    // A cache that has it without the commit gets it.
    expect([before.headers['cache-control'], (await revalidate()).status]).toEqual(['public, no-cache', 200]);
    // It stays: neither another commit nor none replaces it.
    await push(1, legal(1, { ...committed, commit: 'b'.repeat(40) }));
    await push(1);
    expect([await commitAt(site), await active()]).toEqual([committed.commit, versionOf(1)]);
  });

  test('that uses what the shell does not have is refused with what it is', async () => {
    const uses = [...shellParts, 'call selectOffers 00000000', 'offer lottery', 'setting theme'];
    const response = await push(1, legal(1, { uses }));
    expect([response.status, response.said]).toEqual([
      422,
      expect.stringContaining(
        'does not have: offer lottery, setting theme. Release shell and backend first, then mf-legal',
      ),
    ]);
    expect((await push(1, legal(1, { uses: shellParts }))).status).toBe(201);
    expect(await leftovers()).toMatchObject([{ length: 1 }, { length: 1 }, [], { length: 1 }]);
  });

  test('beside another one: both are stored whole, one is active last, and both responses are true', async () => {
    const replica = await startRunningSite({ variables, registry: site.registry });
    const both = await Promise.all([push(1), push(2, { to: replica })]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const [last] = both.toSorted((one, two) => two.deployment.number - one.deployment.number);
    for (const each of [site, replica]) {
      await eventually(async () => expect(await active(each)).toBe(last.version));
      for (const number of [1, 2])
        await eventually(async () => {
          const entry = `/remotes/mf-legal/${versionOf(number)}/remoteEntry.0000000${number}.js`;
          expect((await send(each.url, entry)).text).toBe(versionOf(number));
        });
    }
    expect(both.map(({ deployment }) => deployment.number).toSorted()).toEqual([1, 2]);
  });

  test('is limited by number and bytes in an hour and a day, and the response says which and what then', async () => {
    for (let upload = 1; upload <= 60; upload += 1) await site.registry.addUpload(remote, 1, 86_400_000);
    const late = await push(1);
    expect([late.status, late.said, Number(late.headers['retry-after'])]).toEqual([
      429,
      expect.stringMatching(
        /^mf-legal may send 60 releases an hour, and has; this one can be sent again at 2\d\d\d-.*Z\. Until then, releases that are stored can be activated\.$/,
      ),
      expect.closeTo(3600, -3),
    ]);
    expect(await leftovers()).toEqual(nothing);
  });
});

describe('a slow body', () => {
  /** Sends a head and a part of a body; the rest when it is called. Resolves with all that was received once the connection ends. */
  function sendSlowly(url: string, headers: Record<string, string | number>, body: Buffer, share = 0.5) {
    const { hostname, port } = new URL(site.url);
    const socket = connect({ port: Number(port), host: hostname }).on('error', () => undefined);
    const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const half = Math.floor(body.length * share);
    socket.write(body.subarray(0, half));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const status = new Promise<number>((resolve) =>
      socket.on('data', () => text.length > 12 && resolve(Number(text.slice(9, 12)))),
    );
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
    return { status, ended, finish: () => void socket.write(body.subarray(half)) };
  }
  const headersOf = (token: string, body: Buffer, type = multipartType) => ({
    Authorization: `Bearer ${token}`,
    'Content-Type': type,
    'Content-Length': body.length,
  });
  async function sendRelease(signer = team, share = 0.5) {
    const { path: url, token, parts } = await signedPush({ ...legal(1), signer });
    const body = multipartBody(parts);
    return sendSlowly(url, headersOf(token, body), body, share);
  }
  beforeEach(async () => {
    const limits: { headers: number; request: number } = connectionLimits;
    for (const limit of ['headers', 'request'] as const) jest.replaceProperty(limits, limit, 200);
    site = await startRunningSite({ variables });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('of a release has time that the bodies of others do not have', async () => {
    const slow = await sendRelease();
    const deployment = Buffer.from(JSON.stringify({ action: 'hold' }));
    // It came later, so the time of the release would be over, too.
    const headers = headersOf(operatorToken, deployment, 'application/json');
    expect(await sendSlowly(`/_releases/api/${remote}/deployments`, headers, deployment).status).toBe(408);
    slow.finish();
    expect([await slow.status, await active()]).toEqual([201, versionOf(1)]);
  });

  test.each([0, 0.3, 0.9])(
    'of a release (%p of it) has a minimum rate, which the response names; nothing is left, not even the connection',
    async (share) => {
      jest.replaceProperty(uploadTime, 'base', 200);
      jest.replaceProperty(uploadTime, 'rate', 10_000);
      const slow = await sendRelease(team, share);
      expect(await slow.status).toBe(408);
      expect(await slow.ended).toMatch(
        /The release has not come within 0 s: a line needs 80 Mbit\/s for one of \d+ bytes/,
      );
      await eventually(async () => expect(await leftovers()).toEqual(nothing));
      expect((await push(1)).status).toBe(201);
    },
  );

  test('of somebody without a key has no time at all', async () => {
    const slow = await sendRelease(newSigner());
    expect(await slow.status).toBe(401);
    expect(await slow.ended).toContain("not among the keys of the remote's team");
  });
});

// What is wrong with a manifest, a file or a fragment is in packages/testing/src/faults.ts; here is what a request adds.
describe('a release that is not right leaves no row and no file', () => {
  const changed = (parts: ReturnType<typeof legal>['parts'], name: string, content: string | undefined) =>
    parts.flatMap((part) => (part[0] !== name ? [part] : content === undefined ? [] : [[name, content] as const]));
  const large = (size: number) => legal(1, {}, { 'large.js': Buffer.alloc(size) });

  test.each<[string, () => PushOptions, RegExp]>([
    ['a missing file', () => ({ parts: changed(legal(1).parts, 'a/style.css', undefined) }), /not sent: a\/style.css/],
    ['an unlisted file', () => ({ parts: [...legal(1).parts, ['b.js', 'b']] }), /not in release.json: b.js/],
    ['a part twice', () => ({ parts: [...legal(1).parts, ['a/style.css', 'x']] }), /two parts a\/style.css/],
    ['no manifest', () => ({ parts: legal(1).parts }), /its part release.json is missing/],
    ['no signature', () => ({ parts: legal(1).parts }), /its part release.jws is missing/],
    ['two manifests', () => ({ parts: [...legal(1).parts, ['release.json', '{}']] }), /two parts release.json/],
    [
      'another manifest than was signed',
      () => ({ text: legal(2).text, signed: legal(1).text }),
      /release.json was changed after it was signed/,
    ],
    ['a file above the limit', () => large(releaseLimits.fileSize + 1), /more than 20000000 bytes|has 20000001 bytes/],
  ])('with %s', async (what, options, message) => {
    const { path: url, token, parts } = await signedPush({ ...legal(1), signer: team, ...options() });
    const left = { 'no manifest': 'release.json', 'no signature': 'release.jws' }[what];
    const sent = parts.filter(([name]) => name !== left);
    // Twice on one server: a limit must hold from the first time on, and the second.
    for (let time = 0; time < 2; time += 1) {
      const response = resultOf(await sendParts(site.url, url, token, sent));
      expect([response.status, response.said]).toEqual([422, expect.stringMatching(message)]);
      await eventually(async () => expect(await leftovers()).toEqual(nothing));
    }
  });

  test('all reasons of all checks against the site are named at once, and all damaged files', async () => {
    await push(1, {
      ...described(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/faq')], redirects: { '/old': '/' } }), {
        'remoteEntry.00000001.js': 'entry',
      }),
      signer: other,
      remote: 'mf-signup',
    });
    const routes = [routeOf('/terms'), routeOf('/'), routeOf('/faq'), routeOf('/old')];
    const redirects = { '/gone': '/nowhere', '/loop': '/loop', '/x': '/old' };
    const { parts, text } = legal(1, { routes, redirects, uses: ['offer lottery'] });
    const { errors } = await push(1, { text, parts: changed(parts, 'a/style.css', undefined) });
    const owner = expect.stringContaining('mf-signup@');
    expect(errors).toHaveLength(8);
    expect(errors).toEqual([
      'its files differ; not sent: a/style.css',
      expect.stringContaining('offer lottery'),
      ...[owner, owner, owner],
      'it redirects /gone to /nowhere, which is no page of the site',
      'it redirects /loop to itself',
      'it redirects /x to /old, which is redirected to /; name the last page',
    ]);
    const two = legal(1, {}, { 'b.css': 'b' });
    const damaged = await push(1, {
      ...two,
      parts: changed(changed(two.parts, 'b.css', 'c'), 'a/style.css', 'BODY {}'),
    });
    expect(damaged.errors).toEqual(
      ['a/style.css', 'b.css'].map((name) => `its file ${name} does not match its SHA-384 in release.json`),
    );
  });

  test.each([
    ['ENOSPC', 'the disk of RELEASES_FOLDER is full'],
    ['EROFS', 'RELEASES_FOLDER can’t be written'],
  ])('because of the disk (%s), which the response names, without a file of it', async (code, problem) => {
    site.registry.publish = async () => {
      throw Object.assign(new Error(`${code}: write, open '/data/.incoming/5'`), { code });
    };
    const response = await push(1);
    expect([response.status, response.said]).toEqual([507, expect.stringContaining(problem)]);
    expect(response.said).not.toContain('/data');
    expect(await leftovers()).toEqual(nothing);
  });

  test('because the disk damages a file of it before it is stored', async () => {
    const { registry } = site;
    const publish = registry.publish.bind(registry);
    registry.publish = (release, files, contentOf, decide) => {
      const incoming = path.join(site.site.folder, 'releases/.incoming');
      for (const name of readdirSync(incoming, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('a/style.css')) writeFileSync(path.join(incoming, name), Buffer.alloc(7));
      return publish(release, files, contentOf, decide);
    };
    const response = await push(1);
    expect([response.status, response.said]).toEqual([
      507,
      "This server can't take releases; tell the operators of the site: a/style.css is damaged; check the disk of RELEASES_FOLDER.",
    ]);
    expect(await leftovers()).toEqual(nothing);
  });

  test.each([-2, 2])('no clock of a team needs to be right: it may differ by a minute (%d)', async (minutes) => {
    expect((await push(1, { now: Date.now() + minutes * 59_000 })).status).toBe(201);
  });

  test('with a file of exactly the limit it is stored', async () => {
    expect((await push(1, large(releaseLimits.fileSize))).status).toBe(201);
  });

  test.each<[string, object, number]>([
    ['larger than any release', { 'Content-Length': maxUpload + 1 }, 413],
    ['of unknown length', { 'Transfer-Encoding': 'chunked' }, 411],
  ])('a body %s is not read', async (_what, headers, status) => {
    const { path: url, token } = await signedPush({ ...legal(1), signer: team });
    const all = { ...headers, Authorization: `Bearer ${token}`, 'Content-Type': multipartType, Expect: '100-continue' };
    const response = await new Promise<string>((resolve) => {
      const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1' });
      const lines = Object.entries({ Host: new URL(site.url).host, ...all }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write(`POST ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
        const [, found] = /HTTP\/1\.1 ([2-5]\d\d)/.exec(received) ?? [];
        if (!found) return;
        socket.destroy();
        resolve(found);
      });
    });
    expect(Number(response)).toBe(status);
    expect(await leftovers()).toEqual(nothing);
  });

  test('if the client goes away after any byte', async () => {
    const { path: url, token, parts } = await signedPush({ ...large(300_000), signer: team });
    const body = multipartBody(parts);
    const { hostname, port } = new URL(site.url);
    const head = `POST ${url} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${multipartType}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const ends = [
      0,
      1,
      70,
      200,
      body.length - 1,
      ...Array.from({ length: 20 }, () => Math.floor(Math.random() * body.length)),
    ];
    for (const end of ends) {
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) =>
        socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, end)]), () => resolve()),
      );
      socket.destroy();
    }
    await eventually(async () => expect(await leftovers()).toEqual(nothing));
    expect((await push(1)).status).toBe(201);
  });
});

describe('a request is refused', () => {
  const minute = 60_000;
  const pushed = (options: PushOptions) => () => push(1, options);
  const pushedAt = (offset: number) => () => push(1, { now: Date.now() + offset });
  test.each<[string, number, RegExp, () => Promise<{ status: number; said: string }>]>([
    [
      'with the key of another team',
      403,
      /key of mf-signup's team; it can't change mf-legal/,
      pushed({ signer: other }),
    ],
    ['with an unknown key', 401, /not among the keys of the remote's team/, pushed({ signer: newSigner() })],
    [
      'after its time',
      401,
      /has expired: it is valid from .*Z to .*Z, and this server's clock says .*Z/,
      pushedAt(-7 * minute),
    ],
    ['before its time', 401, /is of the future.*Check the clock/, pushedAt(3 * minute)],
    [
      'that was signed for another site',
      401,
      /signed for the site https:\/\/other.example; this is http:\/\/localhost:8080/,
      pushed({ site: 'https://other.example' }),
    ],
    [
      'that was signed for another remote',
      403,
      /signed for mf-signup, not for mf-legal/,
      () => deploy({ action: 'hold', seen: 0 }, { of: 'mf-signup', on: remote }),
    ],
    ['of a team that has not seen a number', 400, /“seen” is missing/, () => deploy({ action: 'hold' })],
    [
      'on another state than was seen',
      409,
      /has been changed in the meantime/,
      () => deploy({ action: 'hold', seen: 1 }),
    ],
    [
      'of an operator in the name of a team',
      400,
      /has to be the name of an operator/,
      () => operate({ action: 'hold', by: 'team of mf-legal (key a…)' }),
    ],
    ['without a token', 401, /not an operator token/, async () => resultOf(await send(site.url, '/_releases/api/'))],
    [
      "for all remotes with a team's key",
      403,
      /for operators/,
      async () => {
        const token = await signRequest(
          { site: publicUrl, method: 'GET', path: '/_releases/api/', body: '' },
          remote,
          team,
        );
        return resultOf(await send(site.url, '/_releases/api/', { headers: { Authorization: `Bearer ${token}` } }));
      },
    ],
  ])('%s', async (_what, status, message, request) => {
    const response = await request();
    expect([response.status, response.said]).toEqual([status, expect.stringMatching(message)]);
    expect(await leftovers()).toEqual(nothing);
  });

  test('and the response has the name of the error', async () => {
    const { text } = await send(site.url, '/_releases/api/');
    expect(JSON.parse(text)).toEqual({ statusCode: 401, error: 'AccessError', message: expect.anything() });
  });

  test('with another body, another query or another address than was signed', async () => {
    const signed = await signedPush({ ...legal(1), signer: team });
    const another = await signedPush({ ...legal(2), signer: team });
    for (const [url, parts] of [
      [signed.path, another.parts],
      [`${signed.path}?percent=10`, signed.parts],
    ] as const) {
      const response = resultOf(await sendParts(site.url, url, signed.token, parts));
      expect([response.status, response.said]).toEqual([401, expect.stringMatching(/not the one that was signed/)]);
    }
    expect(await leftovers()).toEqual(nothing);
  });

  test('when it is replayed, or a token is used as one of an operator', async () => {
    await push(1);
    await push(2);
    const rollback = await deploy({ action: 'rollback', seen: 2, why: 'a typo' });
    expect([rollback.status, rollback.said]).toEqual([
      201,
      expect.stringContaining(`${versionOf(2)} is rolled back; all visitors get ${versionOf(1)}.`),
    ]);
    expect((await rollback.again()).status).toBe(409);
    const token = await signRequest({ site: publicUrl, method: 'POST', path: '/_releases', body: '' }, remote, team);
    const sent = {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'action=hold&remote=mf-legal',
    };
    expect((await send(site.url, '/_releases', sent)).status).toBe(404);
  });

  test("by a hold of operators, which a team can't lift, though it may roll back; its own it can", async () => {
    await push(1);
    await push(2);
    await operate({ action: 'hold', why: 'an incident', by: 'Ann' });
    expect((await push(3)).status).toBe(409);
    const refused = async (fields: object) => {
      const response = await deploy(fields);
      expect([response.status, response.said]).toEqual([403, expect.stringContaining('held by Ann (an incident)')]);
    };
    await refused({ action: 'lift', seen: 3 });
    await refused({ action: 'activate', version: versionOf(1), seen: 3 });
    const rollback = await deploy({ action: 'rollback', version: versionOf(1), seen: 3 });
    expect(rollback.said).toContain('mf-legal stays held by Ann.');
    await operate({ action: 'lift' });
    const own = await deploy({ action: 'hold', seen: 5, by: 'Ann' });
    expect([own.status, own.deployment.by]).toEqual([201, expect.stringMatching(/^team of mf-legal /)]);
    expect((await deploy({ action: 'lift', seen: 6 })).status).toBe(201);
  });
});

test('a team makes 100 deployments an hour at most: each stays in the log; operators make more', async () => {
  for (let seen = 0; seen < 100; seen += 1)
    expect((await deploy({ action: seen % 2 ? 'lift' : 'hold', seen })).status).toBe(201);
  const late = await deploy({ action: 'hold', seen: 100 });
  expect([late.status, late.said, Number(late.headers['retry-after'])]).toEqual([
    429,
    expect.stringMatching(/^A team may make 100 deployments an hour; again at 2\d\d\d-.*Z\. Operators still can\.$/),
    expect.closeTo(3600, -3),
  ]);
  expect((await operate({ action: 'hold' })).status).toBe(201);
});

test('describes itself in OpenAPI, each of its routes and no other', async () => {
  const { paths } = JSON.parse((await send(site.url, '/_releases/api/openapi.json')).text);
  expect(Object.keys(paths)).toHaveLength(7);
  const body = paths['/{remote}/deployments'].post.requestBody.content['application/json'].schema;
  expect(body.properties.action.enum).toEqual(['activate', 'rollback', 'offer', 'end', 'hold', 'lift']);
  const parameters = paths['/{remote}/releases'].post.parameters.map(({ name }: { name: string }) => name);
  expect(parameters).toEqual(['percent', 'preview', 'why', 'base']);
  for (const [path, methods] of Object.entries<Record<string, unknown>>(paths)) {
    const url = `/_releases/api${path.replace('{remote}', remote)}`;
    const method = 'get' in methods ? 'GET' : 'POST';
    expect([path, (await send(site.url, url, { method })).status]).toEqual([path, 401]);
  }
});

test('operators and teams read what visitors get', async () => {
  await push(1);
  const read = async (url: string, headers: Record<string, string>) =>
    JSON.parse((await send(site.url, url, { headers })).text);
  expect((await read('/_releases/api/', bearer)).remotes).toMatchObject([
    { remote, active: versionOf(1), number: 1 },
    {},
  ]);
  expect(await read('/_releases/api/log', bearer)).toMatchObject([{ action: 'activate', version: versionOf(1) }]);
  const url = '/_releases/api/mf-legal';
  const token = await signRequest({ site: publicUrl, method: 'GET', path: url, body: '' }, remote, team);
  const own = await read(url, { Authorization: `Bearer ${token}` });
  expect(own).toMatchObject({ active: versionOf(1), deployments: [{ number: 1 }] });
});
