import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ShellManifest } from '@daybook/contract/server';
import { fileEntry } from '@daybook/testing/builds';
import { prerenderedShell } from '@daybook/testing/temporary-builds';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyShell, readSite } from './published-site.ts';

/** Responses of the site by path; a number is a status. */
let responses: Record<string, unknown>;
let server: Server;
let site: string;
let folder: string;

beforeEach(async () => {
  responses = {};
  server = createServer(({ url = '' }, response) => {
    const body = responses[url] ?? 404;
    if (typeof body === 'number') return response.writeHead(body, { Location: url }).end();
    return response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-site-'));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const active = { name: 'mf-legal', version: '1.0.0-000000000001' };

test('the releases of a site are the active ones', async () => {
  responses['/registry.json'] = { remotes: [{ ...active, entry: '…' }], missing: ['mf-help'] };
  expect(await readSite(site)).toEqual({ active: [active], missing: ['mf-help'] });
  server.close();
  server.closeAllConnections();
  await expect(readSite(site)).rejects.toThrow(`${site} can't be used: connect ECONNREFUSED`);
});

const outside = { remotes: [{ ...active, name: '../x' }], missing: [] };
test.each([
  ['is no site', '<h1>Hello</h1>', /registry\.json is not what this clone expects/],
  ['names a remote outside its folder', outside, /not what this clone expects/],
  ['has a huge remote index', 'x'.repeat(2_000_001), /registry\.json is larger than 2000000 bytes/],
  ['redirects', 302, /can't be used: it responded with 302 for \/registry\.json/],
])('a site is rejected if it %s', async (_case, response, message) => {
  responses['/registry.json'] = response;
  await expect(readSite(site)).rejects.toThrow(message);
});

const script = 'console.log(1);';
const described = fileEntry(Buffer.from(script));
const serveShell = (files: ShellManifest['files']) => {
  const scripts = [{ file: 'shell.js', integrity: described.integrity }];
  responses['/assets/shell.json'] = { ...prerenderedShell, version: active.version, scripts, styles: [], files };
  return copyShell(site, path.join(folder, 'shell'));
};

test('the shell is copied with all its files', async () => {
  responses['/assets/shell.js'] = script;
  await serveShell({ 'shell.js': described });
  expect(readFileSync(path.join(folder, 'shell/shell.js'), 'utf8')).toBe(script);
  expect(JSON.parse(readFileSync(path.join(folder, 'shell/shell.json'), 'utf8'))).toEqual(
    responses['/assets/shell.json'],
  );
});

test.each([
  ['has a file outside its folder', '../a.js', /shell\.json is not what this clone expects/],
  ['lacks a file', 'b.js', /it responded with 404 for b\.js/],
  ['has a longer file', 'long.js', /long\.js is larger than 15 bytes/],
  ['has another file', 'other.js', /other\.js does not match its SHA-384/],
])('a shell is rejected if it %s, and leaves nothing', async (_case, file, message) => {
  responses['/assets/long.js'] = `${script} and more`;
  responses['/assets/other.js'] = script.replace('1', '2');
  await expect(serveShell({ [file]: described })).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});
