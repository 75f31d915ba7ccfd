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

async function startSite(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a published release', () => {
  test('is waited for until visitors get it', async () => {
    const versions = ['1.0.0-00000001', release.version];
    const asked: unknown[] = [];
    const site = await startSite(({ url }, answer) => {
      asked.push(url);
      answer.end(registryWith(versions.shift() ?? ''));
    });
    expect(await watchSite(site, release)).toMatch(new RegExp(`^Active at ${site} since \\d\\d:\\d\\d:\\d\\d\\.$`));
    expect(asked).toEqual(['/registry.json', '/registry.json']);
  });

  test('that a site does not take over is told, with where to look', async () => {
    const site = await startSite((_, answer) => answer.end(registryWith('1.0.0-00000001')));
    expect(await watchSite(site, release, 0)).toBe(
      `${site} still serves 1.0.0-00000001; npm run releases -- show mf-legal says why.`,
    );
  });

  test('of a remote that the site does not have is told', async () => {
    const site = await startSite((_, answer) => answer.end('{"remotes": [], "missing": ["mf-legal"]}'));
    expect(await watchSite(site, release, 0)).toMatch(/ still has no release of mf-legal; /);
  });

  test('is waited for nowhere where no site runs', async () => {
    const site = `http://127.0.0.1:${await findFreePort()}`;
    expect(await watchSite(site, release)).toBe(
      `No site answers at ${site}; one that runs takes the release over in seconds.`,
    );
  });

  test('is waited for nowhere where something else answers', async () => {
    const site = await startSite((_, answer) => answer.end('<!doctype html>'));
    expect(await watchSite(site, release)).toMatch(/^No site answers at /);
  });
});
