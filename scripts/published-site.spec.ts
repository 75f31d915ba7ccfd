import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { integrityOf } from '@daybook/contract/manifest';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyRelease, copyShell, readSite } from './published-site.ts';

/** Responses of the site by path; a number is a status. */
let responses: Record<string, unknown>;
let cookies: (string | undefined)[];
let server: Server;
let site: string;
let folder: string;

beforeEach(async () => {
  [responses, cookies] = [{}, []];
  server = createServer(({ url = '', headers }, response) => {
    cookies.push(headers.cookie);
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
const script = 'console.log(1);';
const described = { integrity: integrityOf(Buffer.from(script)), size: script.length };
const frame = { before: '', after: '' };
const shell = (files: object) => ({
  version: active.version,
  scripts: [{ file: 'shell.0000aaaa.js', integrity: described.integrity }],
  styles: [],
  files,
  frames: { site: frame, privacy: frame, bare: frame },
  inlineScripts: { first: '', font: '', later: '', preload: '' },
  notFoundPage: '',
  missingRemotesPage: '',
});

test('the releases of a site are those outside a canary', async () => {
  responses['/registry.json'] = { remotes: [{ ...active, entry: '…' }], missing: ['mf-help'] };
  expect(await readSite(site)).toEqual({ active: [active], missing: ['mf-help'] });
  expect(cookies).toEqual(['bucket=99']);
});

test.each([
  ['is no site', '<h1>Hello</h1>', /registry\.json is not what this clone expects/],
  [
    'names a remote outside its folder',
    { remotes: [{ ...active, name: '../x' }], missing: [] },
    /not what this clone expects/,
  ],
  ['has a huge remote index', 'x'.repeat(2_000_001), /registry\.json is larger than 2000000 bytes/],
  ['redirects', 302, /can't be used: it responded with 302 for \/registry\.json/],
])('a site is rejected if it %s', async (_case, response, message) => {
  responses['/registry.json'] = response;
  await expect(readSite(site)).rejects.toThrow(message);
});

test('a site that does not run is named', async () => {
  server.close();
  await expect(readSite(site)).rejects.toThrow(`${site} can't be used: connect ECONNREFUSED`);
});

test('a release is copied with all its files, in place of the one before', async () => {
  const [entry, url, place] = ['remoteEntry.00000001.js', `/remotes/mf-legal/${active.version}/`, `${folder}/mf-legal`];
  mkdirSync(place);
  writeFileSync(path.join(place, 'former.js'), '');
  const routes = [{ path: '/terms', title: 'Terms', description: 'What applies.', frame: 'site', files: [] }];
  responses[`${url}release.json`] = { ...active, api: 1, entry, files: { [entry]: described }, routes };
  responses[url + entry] = script;
  await copyRelease(site, active, place);
  expect(readdirSync(place).toSorted()).toEqual(['release.json', entry].toSorted());
  expect(readdirSync(folder)).toEqual(['mf-legal']);
});

test('the shell is copied with all its files', async () => {
  responses['/assets/shell.json'] = shell({ 'shell.0000aaaa.js': described });
  responses['/assets/shell.0000aaaa.js'] = script;
  await copyShell(site, path.join(folder, 'shell'));
  expect(readFileSync(path.join(folder, 'shell/shell.0000aaaa.js'), 'utf8')).toBe(script);
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
  responses['/assets/shell.json'] = shell({ [file]: described });
  responses['/assets/long.js'] = `${script} and more`;
  responses['/assets/other.js'] = script.replace('1', '2');
  await expect(copyShell(site, path.join(folder, 'shell'))).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});
