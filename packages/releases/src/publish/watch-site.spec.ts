import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { watchSite } from './watch-site.ts';

const release = { name: 'mf-legal', version: '1.0.1-00000002' };
const origin = '/origins/mf-legal';
const registryWith = (version: string) => JSON.stringify({ remotes: [{ name: 'mf-legal', version }], missing: [] });

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function startSite(respond: RequestListener): Promise<string> {
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const startOldSite = () => startSite((_, response) => response.end(registryWith('1.0.0-00000001')));

describe('watching a site', () => {
  test('ends when visitors get the release', async () => {
    const versions = ['1.0.0-00000001', release.version];
    const requested: unknown[] = [];
    const address = await startSite(({ url }, response) => {
      requested.push(url);
      response.end(registryWith(versions.shift() ?? ''));
    });
    const { text, isActive } = await watchSite({ site: { address }, release, origin });
    expect(isActive).toBe(true);
    expect(text).toMatch(new RegExp(`^Visitors of ${address} got it \\d+\\.\\d s after it was published\\.$`));
    expect(requested).toEqual(['/registry.json', '/registry.json']);
  });

  test('reports a release that the site does not activate, with the command that shows why', async () => {
    const address = await startOldSite();
    const { text, isActive } = await watchSite({ site: { address }, release, origin }, 0);
    expect(isActive).toBeUndefined();
    expect(text.replace(/\d+\.\d s/, '<seconds> s')).toBe(
      `${address} still serves 1.0.0-00000001 after <seconds> s; npm run releases -- show mf-legal shows why.`,
    );
  });

  test('reports a remote that has no release on the site', async () => {
    const address = await startSite((_, response) => response.end('{"remotes": [], "missing": ["mf-legal"]}'));
    expect((await watchSite({ site: { address }, release, origin }, 0)).text).toMatch(
      / still has no release of mf-legal after /,
    );
  });

  test('does not wait for a site that started without the remote', async () => {
    const address = await startSite((_, response) => response.end('{"remotes": [], "missing": []}'));
    expect(await watchSite({ site: { address }, release, origin })).toEqual({
      text: `${address} has no remote mf-legal: a site serves those that it found at its start. Restart it.`,
    });
  });

  test('does not wait when no site responds', async () => {
    const address = await startSite(() => undefined);
    server?.close();
    expect(await watchSite({ site: { address }, release, origin })).toEqual({
      text: `No site responds at ${address}; a running site activates it within seconds.`,
    });
  });

  test('does not wait when something other than a site responds', async () => {
    const address = await startSite((_, response) => response.end('<!doctype html>'));
    expect((await watchSite({ site: { address }, release, origin })).text).toMatch(/^No site responds at /);
  });
});

describe('watching a site on this machine', () => {
  let releasesFolder: string;
  beforeEach(() => {
    releasesFolder = mkdtempSync(path.join(tmpdir(), 'daybook-watch-'));
  });
  afterEach(() => rmSync(releasesFolder, { recursive: true, force: true }));

  const problem = { reason: 'collision', message: 'its route /terms belongs to mf-press', since: '2000-01-01T00:00Z' };
  const reports: [string, object, object][] = [
    [
      'its rejection',
      { address: `file:${origin}`, offered: release.version, problem },
      { text: 'rejects it: its route /terms belongs to mf-press.', isRejected: true },
    ],
    [
      'a rejection that names no version',
      { address: `file:${origin}`, offered: null, problem: { ...problem, since: '2999-01-01T00:00:00Z' } },
      { text: 'rejects it: its route /terms belongs to mf-press.', isRejected: true },
    ],
    [
      'another origin of the remote',
      { address: 'http://mf-legal:8080', offered: null, problem: null },
      { text: 'gets the releases of mf-legal from http://mf-legal:8080.' },
    ],
  ];

  test.each(reports)('ends early with %s', async (_what, report, expected) => {
    const address = await startOldSite();
    const known = { changes: [], releases: [], signatures: {}, origins: { 'mf-legal': report } };
    writeFileSync(path.join(releasesFolder, 'last-known.json'), JSON.stringify(known));
    const { text, ...rest } = await watchSite({ site: { address, releasesFolder }, release, origin });
    expect({ text: text.replace(`${address} `, ''), ...rest }).toEqual(expected);
  });
});

describe('watching a preview', () => {
  test('ends when the site knows its link', async () => {
    const requested: unknown[] = [];
    const address = await startSite(({ url }, response) => {
      requested.push(url);
      response.writeHead(303, { Location: '/terms' }).end();
    });
    const { text, isRejected } = await watchSite({ site: { address }, release, origin, token: 'token' });
    expect(isRejected).toBeUndefined();
    expect(text).toMatch(new RegExp(`^${address} shows it, \\d+\\.\\d s after it was published\\.$`));
    expect(requested).toEqual(['/_preview/token']);
  });

  test('reports that the site does not show it, with the command that shows why', async () => {
    const address = await startSite((_, response) => response.writeHead(404).end());
    const { text } = await watchSite({ site: { address }, release, origin, token: 'token' }, 0);
    expect(text.replace(/\d+\.\d s/, '<seconds> s')).toBe(
      `${address} does not show it after <seconds> s; npm run releases -- preview mf-legal shows why.`,
    );
  });

  test('ends when no site responds', async () => {
    const address = await startSite(() => undefined);
    server?.close();
    expect((await watchSite({ site: { address }, release, origin, token: 'token' })).text).toContain(
      `No site responds at ${address}`,
    );
  });
});
