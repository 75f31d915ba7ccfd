import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { describePublished, watchSite } from './watch-site.ts';

const release = { name: 'mf-legal', version: '1.0.1-00000002' };
const origin = '/origins/mf-legal';
const token = 'token';

let releasesFolder: string;
let server: Server;
let requested: unknown[];
beforeEach(() => {
  releasesFolder = makeTemporaryFolder();
  requested = [];
});
afterEach(() => {
  jest.restoreAllMocks();
  server.close();
  rmSync(releasesFolder, { recursive: true, force: true });
});

/** Responds when 45 s have passed. */
const late =
  (respond: RequestListener): RequestListener =>
  (request, response) => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 45_001);
    respond(request, response);
  };

/** Starts a site; returns its address. */
async function startSite(respond: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    requested.push(request.url);
    respond(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const sending =
  (...texts: readonly string[]): RequestListener =>
  (_, response) =>
    response.end(texts[requested.length - 1]);
const serving = (version: string, missing: readonly string[] = []) =>
  JSON.stringify({ remotes: version ? [{ name: 'mf-legal', version }] : [], missing });
const responding =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status, { Location: '/terms' }).end();

const old = serving('1.0.0-00000001');
const away: RequestListener = ({ socket }) => socket.destroy();

test.each<[string, RequestListener, object, { readonly text: string }]>([
  [
    'that does not activate the release, with the command that shows why',
    sending(old),
    {},
    { text: '<site> still serves 1.0.0-00000001 after <time>; npm run releases -- show mf-legal shows why.' },
  ],
  [
    'that has no release of the remote',
    sending(serving('', ['mf-legal'])),
    {},
    { text: '<site> still has no release of mf-legal after <time>; npm run releases -- show mf-legal shows why.' },
  ],
  [
    'that started without the remote',
    sending(serving('')),
    {},
    { text: '<site> has no remote mf-legal: a site serves those that it found at its start. Restart it.' },
  ],
  ['that is away', away, {}, { text: 'No site responds at <site>; a running site activates it within seconds.' }],
  [
    'that is something else',
    sending('<!doctype html>'),
    {},
    { text: 'No site responds at <site>; a running site activates it within seconds.' },
  ],
  ['that shows a preview', responding(303), { token }, { text: '<site> shows it, <time> after it was published.' }],
  [
    'that does not show a preview',
    responding(404),
    { token },
    { text: '<site> does not show it after <time>; npm run releases -- show mf-legal shows why.' },
  ],
  [
    'that is away with a preview',
    away,
    { token },
    { text: 'No site responds at <site>; a running site shows it within seconds.' },
  ],
])('watching reports the state of the release on a site %s', async (_site, respond, publication, expected) => {
  // Only what may still become active is waited for.
  const address = await startSite(expected.text.includes('after <time>;') ? late(respond) : respond);
  const { text, ...result } = await watchSite({ site: { address }, release, origin, ...publication });
  expect({ text: text.replace(address, '<site>').replace(/\d+\.\d s/, '<time>'), ...result }).toEqual(expected);
  expect(requested).toEqual(['token' in publication ? '/_preview/token' : '/registry.json']);
});

test('watching a site ends when visitors get the release', async () => {
  const address = await startSite(sending(old, serving(release.version)));
  expect(await watchSite({ site: { address }, release, origin })).toEqual({
    text: expect.stringMatching(new RegExp(`^Visitors of ${address} got it \\d+\\.\\d s after it was published\\.$`)),
    isActive: true,
  });
  expect(requested).toEqual(['/registry.json', '/registry.json']);
});

const problem = { reason: 'collision', message: 'its route /terms belongs to mf-press', since: '2000-01-01T00:00Z' };
const rejected = { text: 'rejects it: its route /terms belongs to mf-press.', isRejected: true };
test.each<[string, object, object]>([
  ['its rejection', { offered: release.version, problem }, rejected],
  ['a rejection that names no version', { problem: { ...problem, since: '2999-01-01T00:00:00Z' } }, rejected],
  [
    'another origin of the remote',
    { address: 'http://mf-legal:8080' },
    { text: 'gets the releases of mf-legal from http://mf-legal:8080.' },
  ],
])('watching a site on this machine ends early with %s', async (_event, report, expected) => {
  expect(await watchHere(report)).toEqual(expected);
});

test('watching a site on this machine does not end early with an older problem', async () => {
  expect(await watchHere({ problem }, late)).toEqual({ text: expect.stringMatching(/^still serves /) });
});

/** Watches a site that has reported this of the remote's origin. */
async function watchHere(report: object, when = (respond: RequestListener) => respond): Promise<object> {
  const address = await startSite(when((_, response) => response.end(old)));
  const origins = { 'mf-legal': { address: `file:${origin}`, offered: null, problem: null, ...report } };
  const known = { deployments: [], releases: [], signatures: {}, origins };
  writeFileSync(path.join(releasesFolder, 'last-known.json'), JSON.stringify(known));
  const { text, ...rest } = await watchSite({ site: { address, releasesFolder }, release, origin });
  return { text: text.replace(`${address} `, ''), ...rest };
}

const ofPreview = [
  '            for 7 days; whoever has it sees the whole site with this release',
  'activate:   npm run releases -- activate mf-legal 1.0.1-00000002',
  'end:        npm run releases -- end mf-legal preview',
];
const inspect = 'inspect:    npm run releases -- show mf-legal';
const rollback = 'roll back:  npm run releases -- rollback mf-legal --why "…"';
const at = 'https://daybook.example';
test.each<[string, boolean, string | undefined, string | undefined, readonly string[]]>([
  ['a rollback if visitors have the release', true, undefined, undefined, [inspect, rollback]],
  ['no rollback if the release only waits', false, undefined, undefined, [inspect]],
  ['the link of a preview', false, token, at, [`link:       ${at}/_preview/token`, ...ofPreview]],
  [
    'the path of a preview if the site is not known',
    false,
    token,
    undefined,
    ['link:       /_preview/token, after the address of the site', ...ofPreview],
  ],
])('the summary of what was published suggests %s', (_what, isActive, ofLink, site, lines) => {
  const text = 'The result on the site.';
  expect(describePublished(release, { text, isActive }, ofLink, site)).toBe(
    [text, ...lines].map((line) => `  ${line}`).join('\n'),
  );
});
