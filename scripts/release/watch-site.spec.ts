import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '@daybook/testing/ports';
import { afterEach, describe, expect, test } from '@jest/globals';
import { watchSite } from './publish.ts';

const release = { name: 'mf-legal', version: '1.0.1-00000002' };
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

describe('watchSite', () => {
  test('waits until the release is active', async () => {
    const versions = ['1.0.0-00000001', release.version];
    const requested: unknown[] = [];
    const site = await startSite(({ url }, response) => {
      requested.push(url);
      response.end(registryWith(versions.shift() ?? ''));
    });
    expect(await watchSite(site, release)).toMatch(new RegExp(`^Active at ${site} since \\d\\d:\\d\\d:\\d\\d\\.$`));
    expect(requested).toEqual(['/registry.json', '/registry.json']);
  });

  test('reports a release that the site does not activate, with the command that shows why', async () => {
    const site = await startSite((_, response) => response.end(registryWith('1.0.0-00000001')));
    expect(await watchSite(site, release, 0)).toBe(
      `${site} still serves 1.0.0-00000001; npm run releases -- show mf-legal shows why.`,
    );
  });

  test('reports a remote that has no release on the site', async () => {
    const site = await startSite((_, response) => response.end('{"remotes": [], "missing": ["mf-legal"]}'));
    expect(await watchSite(site, release, 0)).toMatch(/ still has no release of mf-legal; /);
  });

  test('does not wait when no site responds', async () => {
    const site = `http://127.0.0.1:${await findFreePort()}`;
    expect(await watchSite(site, release)).toBe(
      `No site responds at ${site}; a running site activates the release within seconds.`,
    );
  });

  test('does not wait when something other than a site responds', async () => {
    const site = await startSite((_, response) => response.end('<!doctype html>'));
    expect(await watchSite(site, release)).toMatch(/^No site responds at /);
  });
});
