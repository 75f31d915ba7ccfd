import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { integrityOf } from '@daybook/contract/manifest';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyRelease, copyShell, readSite } from './published-site.ts';

/** Responses of the site by path; a number is a status, with a redirect to itself. */
let responses: Record<string, unknown>;
/** The cookies of all requests. */
let cookies: (string | undefined)[];
let server: Server;
let site: string;
let folder: string;

beforeEach(async () => {
  responses = {};
  cookies = [];
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

const version = '1.0.0-000000000001';
const script = 'console.log(1);';
const described = { integrity: integrityOf(Buffer.from(script)), size: script.length };
const remoteIndexOf = (remote: object) => ({ remotes: [{ routes: [], ...remote }], missing: [] });
const frame = { before: '', after: '' };
const shell = (files: unknown = { 'shell.0000aaaa.js': described }) => ({
  version,
  scripts: [{ file: 'shell.0000aaaa.js', integrity: described.integrity }],
  styles: [],
  files,
  frames: { site: frame, privacy: frame, bare: frame },
  inlineScripts: { first: '', font: '', later: '', preload: '' },
  notFoundPage: '',
  missingRemotesPage: '',
});

describe('the releases of a running site', () => {
  test('are those that all visitors get, outside a canary', async () => {
    const active = { name: 'mf-legal', version };
    responses['/registry.json'] = { remotes: [{ ...active, entry: '…' }], missing: ['mf-help'] };
    expect(await readSite(site)).toEqual({ active: [active], missing: ['mf-help'] });
    expect(cookies).toEqual(['bucket=99']);
  });

  test.each([
    ['is no site', '<h1>Hello</h1>', /registry\.json is not what this clone expects/],
    ['names a remote outside its folder', remoteIndexOf({ name: '../x', version }), /not what this clone expects/],
    ['names a version with a path', remoteIndexOf({ name: 'a', version: '1/../../b' }), /not what this clone expects/],
    ['has a huge remote index', 'x'.repeat(2_000_001), /registry\.json is larger than 2000000 bytes/],
    ['redirects', 302, /can't be used: it responded with 302 for \/registry\.json/],
  ])('are rejected if it %s', async (_case, response, message) => {
    responses['/registry.json'] = response;
    await expect(readSite(site)).rejects.toThrow(message);
  });

  test('are rejected with the address if nothing runs there', async () => {
    server.close();
    await expect(readSite(site)).rejects.toThrow(`${site} can't be used: connect ECONNREFUSED`);
  });
});

describe('a release of a running site', () => {
  const active = { name: 'mf-legal', version };
  const entry = 'remoteEntry.00000001.js';
  const url = `/remotes/mf-legal/${version}/`;
  const releaseWith = (files: object) => ({
    ...active,
    api: 1,
    entry,
    files,
    routes: [{ path: '/terms', title: 'Terms', description: 'What applies.', frame: 'site', files: [] }],
  });

  test('is copied with all its files, in place of the one before', async () => {
    const place = path.join(folder, 'mf-legal');
    mkdirSync(place);
    writeFileSync(path.join(place, 'former.js'), '');
    responses[`${url}release.json`] = releaseWith({ [entry]: described });
    responses[url + entry] = script;
    await copyRelease(site, active, place);
    expect(readdirSync(place).toSorted()).toEqual(['release.json', entry].toSorted());
    expect(readdirSync(folder)).toEqual(['mf-legal']);
  });

  test.each([
    ['is not of the remote', { name: 'mf-other' }, /can't be used here: It is a release of mf-other/],
    ['has a file outside its folder', { files: { '../a.js': described } }, /can't be used here: release\.json: /],
    ['lacks a file', { files: { [entry]: described, 'b.js': described } }, /it responded with 404 for .*b\.js/],
    [
      'has another file',
      { files: { [entry]: { ...described, integrity: integrityOf(Buffer.from('2')) } } },
      /does not match its SHA-384/,
    ],
  ])('is rejected if it %s, and leaves nothing', async (_case, changes, message) => {
    responses[`${url}release.json`] = { ...releaseWith({ [entry]: described }), ...changes };
    responses[url + entry] = script;
    await expect(copyRelease(site, active, path.join(folder, 'mf-legal'))).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the shell of a running site', () => {
  test('is copied with all its files', async () => {
    responses['/assets/shell.json'] = shell();
    responses['/assets/shell.0000aaaa.js'] = script;
    const place = path.join(folder, 'shell');
    await copyShell(site, place);
    expect(readFileSync(path.join(place, 'shell.0000aaaa.js'), 'utf8')).toBe(script);
    expect(JSON.parse(readFileSync(path.join(place, 'shell.json'), 'utf8'))).toEqual(shell());
  });

  test.each([
    ['lists no files, as an older one', shell({}), /lists 0 files/],
    ['lists too much', shell({ 'a.js': { ...described, size: 1e9 } }), /lists 1 files of 1000000000 bytes/],
    ['has a file outside its folder', shell({ '../a.js': described }), /shell\.json is not what this clone expects/],
    ['lacks a file', shell({ 'b.js': described }), /it responded with 404 for \/assets\/b\.js/],
    ['has a longer file', shell({ 'long.js': described }), /long\.js is larger than 15 bytes/],
    ['has another file', shell({ 'other.js': described }), /other\.js does not match its SHA-384/],
  ])('is rejected if it %s', async (_case, manifest, message) => {
    responses['/assets/shell.json'] = manifest;
    responses['/assets/long.js'] = `${script} and more`;
    responses['/assets/other.js'] = script.replace('1', '2');
    await expect(copyShell(site, path.join(folder, 'shell'))).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});
