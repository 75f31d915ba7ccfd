import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { integrityOf } from '@daybook/releases';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyShell, readOrigins } from './running-site.ts';

/** Responses of the site by path; a number is a status, with a redirect to itself. */
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

const version = '1.0.0-00000001';
const script = 'console.log(1);';
const described = { integrity: integrityOf(Buffer.from(script)), size: script.length };
const frame = { before: '', after: '' };
const shell = (files: unknown = { 'shell.0000aaaa.js': described }) => ({
  version,
  scripts: [{ file: 'shell.0000aaaa.js', integrity: described.integrity }],
  styles: [],
  files,
  frames: { site: frame, privacy: frame, bare: frame },
  notFoundPage: '',
  missingRemotesPage: '',
});

describe('the releases of a running site', () => {
  test('have the addresses of their files as origins', async () => {
    responses['/registry.json'] = { remotes: [{ name: 'mf-legal', version, entry: '…', routes: [] }], missing: [] };
    expect(await readOrigins(site)).toEqual([{ name: 'mf-legal', origin: `${site}/remotes/mf-legal/${version}/` }]);
  });

  test.each([
    ['is no site', '<h1>Hello</h1>', /registry\.json is not what this clone expects/],
    ['names a remote outside its folder', { remotes: [{ name: '../x', version }] }, /not what this clone expects/],
    ['names another origin', { remotes: [{ name: 'a', version: '1,b=http://evil' }] }, /not what this clone expects/],
    ['has a huge registry', 'x'.repeat(2_000_001), /registry\.json is larger than 2000000 bytes/],
    ['redirects', 302, /can't be used as --site: it responded with 302 for registry\.json/],
  ])('are rejected if it %s', async (_case, response, message) => {
    responses['/registry.json'] = response;
    await expect(readOrigins(site)).rejects.toThrow(message);
  });

  test('are rejected with the address if nothing runs there', async () => {
    server.close();
    await expect(readOrigins(site)).rejects.toThrow(`${site} can't be used as --site: connect ECONNREFUSED`);
  });
});

describe('the shell of a running site', () => {
  test('is copied with all its files', async () => {
    responses['/assets/shell.json'] = shell();
    responses['/assets/shell.0000aaaa.js'] = script;
    await copyShell(site, folder);
    expect(readFileSync(path.join(folder, 'shell.0000aaaa.js'), 'utf8')).toBe(script);
    expect(JSON.parse(readFileSync(path.join(folder, 'shell.json'), 'utf8'))).toEqual(shell());
  });

  test.each([
    ['lists no files, as an older one', shell({}), /lists 0 files/],
    ['lists too much', shell({ 'a.js': { ...described, size: 1e9 } }), /lists 1 files of 1000000000 bytes/],
    ['has a file outside its folder', shell({ '../a.js': described }), /shell\.json is not what this clone expects/],
    ['lacks a file', shell({ 'b.js': described }), /it responded with 404 for b\.js/],
    ['has a longer file', shell({ 'long.js': described }), /long\.js is larger than 15 bytes/],
    ['has another file', shell({ 'other.js': described }), /other\.js does not match its SHA-384/],
  ])('is rejected if it %s', async (_case, manifest, message) => {
    responses['/assets/shell.json'] = manifest;
    responses['/assets/long.js'] = `${script} and more`;
    responses['/assets/other.js'] = script.replace('1', '2');
    await expect(copyShell(site, folder)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(path.join(folder, '../a.js'))).toBe(false);
  });
});
