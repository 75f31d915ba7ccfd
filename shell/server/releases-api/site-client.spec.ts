import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { signRelease } from '@daybook/releases';
import { SiteClient } from '@daybook/releases/publish';
import { createReleasesProgram } from '@daybook/releases/server';
import { exitCodes, runProgram } from '@daybook/server/command-line';
import { releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { textTerminal } from '@daybook/testing/text-terminal';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createKeyFile, readKeyFile } from '../../../packages/releases/src/signature/key-file.ts';
import { operatorToken } from '../test/operator.ts';
import { described, publicUrl } from '../test/pushing.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';

const remote = 'mf-legal';
const [first, second] = [versionOf(1), versionOf(2)];

let folder: string;
let site: RunningSite;
beforeEach(async () => {
  folder = makeTemporaryFolder();
  for (const name of [remote, 'mf-signup']) createKeyFile(path.join(folder, `${name}.pem`));
  const keyOf = (name: string) => `${name}:${signerOf(name).publicKey}`;
  const TEAM_KEYS = `${keyOf(remote)},${keyOf('mf-signup')}`;
  const variables = { OPERATOR_TOKEN: operatorToken, TEAM_KEYS };
  site = await startRunningSite({ variables });
  jest.replaceProperty(process, 'env', { ...process.env, RELEASE_KEYS_FOLDER: folder, OPERATOR_TOKEN: '' });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});
const signerOf = (name: string) => readKeyFile(path.join(folder, `${name}.pem`));

/** Writes a release as its build does, and publishes it. */
async function publish(version: string, url = site.url, report: (line: string) => void = () => undefined) {
  const place = path.join(folder, version);
  mkdirSync(place, { recursive: true });
  const release = releaseOf(remote, { version, entry: 'entry.js', routes: [routeOf('/terms')] });
  const { text, parts } = described(release, { 'entry.js': version, 'large.css': Buffer.alloc(1_000_000, ' ') });
  for (const [name, content] of parts) writeFileSync(path.join(place, name), content);
  const signature = await signRelease(text, remote, signerOf(remote));
  const build = { folder: place, release: JSON.parse(text), text };
  return new SiteClient(url, { signer: signerOf(remote) }, publicUrl).publish(build, signature, '', report);
}

/** Runs `releases … --site`; returns its output, or rejects with its errors. */
async function releases(...words: readonly string[]): Promise<string> {
  const { terminal, output, errors } = textTerminal();
  const program = createReleasesProgram({ ...process.env, SITE_URL: site.url, PUBLIC_URL: publicUrl }, terminal);
  const code = await runProgram(program, words, terminal);
  if (code !== exitCodes.done) throw new Error(errors());
  return output().trimEnd();
}

test('a release is published with its progress, and the response is the verdict', async () => {
  const progress: string[] = [];
  const { status, body } = await publish(first, site.url, (line) => void progress.push(line));
  expect([status, body.lines]).toEqual([201, [`mf-legal: all visitors get ${first} instead of nothing.`]]);
  expect(progress).toEqual([expect.stringMatching(/^sent .* of .*/)]);
});

test('a release whose response is lost is sent again once, which changes nothing more', async () => {
  const { hostname, port } = new URL(site.url);
  let lost = 0;
  const proxy = createServer((client) => {
    const server = connect({ host: hostname, port: Number(port) });
    client.pipe(server).on('error', () => undefined);
    client.on('error', () => undefined);
    server.on('data', (chunk) => {
      lost += 1;
      if (lost === 1) client.destroy();
      else client.write(chunk);
    });
    server.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as { readonly port: number }).port}`;
  const progress: string[] = [];
  const { status, body } = await publish(first, url, (line) => void progress.push(line));
  expect([status, body.lines?.at(-1)]).toEqual([200, 'All visitors get it.']);
  expect(progress).toContainEqual(expect.stringContaining('the response was lost'));
  expect((await site.registry.read(new Map())).deployments).toHaveLength(1);
  proxy.close();
});

test('a release that is sent twice at once is published once, and both responses say that visitors get it', async () => {
  const responses = await Promise.all([publish(first), publish(first)]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 201]);
  for (const { body } of responses) expect(body).toMatchObject({ version: first, overview: { active: first } });
  expect((await site.registry.read(new Map())).deployments).toHaveLength(1);
});

test('a team rolls back its own release from any machine, with its key, and no other one', async () => {
  await publish(first);
  await publish(second);
  expect(await releases('show', remote)).toContain(second);
  expect(await releases('rollback', remote, '--why', 'a typo')).toContain(
    `mf-legal: ${second} is rolled back; all visitors get ${first}.`,
  );
  const last = (await site.registry.read(new Map())).deployments.at(-1);
  expect(last).toMatchObject({ action: 'activate', version: first, left: second, why: 'a typo' });
  expect(last?.by).toMatch(/^team of mf-legal \(key /);
  const others = path.join(folder, 'mf-signup.pem');
  await expect(releases('rollback', remote, '--key-file', others)).rejects.toThrow(
    "key of mf-signup's team; it can't change mf-legal",
  );
  await expect(releases('list')).rejects.toThrow(/This is for operators/);
});

test('an operator acts on all remotes from any machine, with the token', async () => {
  await publish(first);
  await publish(second);
  process.env.OPERATOR_TOKEN = operatorToken;
  expect(await releases('list')).toMatch(new RegExp(`^mf-legal +${second}`, 'm'));
  expect(await releases('log')).toContain('published');
  expect(await releases('hold', remote)).toContain(`mf-legal: held; visitors get ${second}.`);
  expect(await releases('activate', remote, first)).toContain('mf-legal stays held by ');
  expect(await releases('offer', remote, second, '--percent', '10')).toContain(`10 % of visitors get ${second}`);
  expect(await releases('end', remote, 'canary')).toContain('is over');
  expect(await releases('rollback', remote)).toContain(`To activate it again: releases activate mf-legal ${first}\n`);
  expect(await releases('lift', remote)).toContain('no longer held');
});
