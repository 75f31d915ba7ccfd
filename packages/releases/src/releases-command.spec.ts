import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Remote, State } from '@daybook/contract/release';
import { runProgram } from '@daybook/server/command-line';
import { textTerminal } from '@daybook/testing/text-terminal';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { publishedLines } from './print.ts';
import { createReleasesProgram } from './releases-command.ts';

const [former, next] = ['1.0.0-000000000001', '1.0.0-000000000002'];

const at = '2026-11-28T10:00:00.000Z';
const stateOf = (changes: Partial<State> = {}): State => ({
  ...{ remote: 'mf-legal', number: 7, action: 'publish', active: next, canary: null, percent: null },
  ...{ heldBy: null, heldByOperator: false, by: 'legal-team', why: '', at },
  ...changes,
});

const remote: Remote = {
  remote: 'mf-legal',
  state: stateOf(),
  previous: former,
  releases: [next, former].map((version) => ({
    ...{ version, status: version === next ? 'active' : 'previous', storedAt: at },
    ...{ commit: 'c'.repeat(40), author: 'Ann', files: 3, size: 412_000, paths: ['/terms'], views: 12, failures: 1 },
  })),
  countedSince: '2026-11-28T09:00:00.000Z',
  api: 1,
};

let server: Server;
let site: string;
let answers: Record<string, unknown>;
let changes: unknown[];

beforeEach(async () => {
  changes = [];
  answers = { '': { remotes: [remote] }, '/mf-legal': remote, '/mf-legal/log': { rows: [remote.state] } };
  server = createServer(async (request, response) => {
    const path = `${request.url}`.replace('/_releases/api', '');
    if (request.method === 'POST') changes.push(JSON.parse(await text(request)));
    if (path in answers && !answers[path]) response.destroy();
    else response.end(JSON.stringify(answers[path] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const PUBLIC_URL = 'https://daybook.example';
/** Runs the command; returns the exit code and what it prints. */
async function run(...words: readonly string[]) {
  const { terminal, output, errors } = textTerminal();
  const program = createReleasesProgram({ SITE_URL: site, PUBLIC_URL, RELEASES_TOKEN: 'secret' }, terminal);
  const code = await runProgram(program, words, terminal);
  return { code, lines: `${output()}${errors()}`.trimEnd().split('\n') };
}

const changed = (...states: readonly State[]) => {
  answers['/changes'] = { states, lines: ['The site says so.'] };
};

test('show has versions with views and failures, and the log', async () => {
  const { lines } = await run('show', 'mf-legal');
  expect(lines.find((line) => line.startsWith(`${next}  active`))).toMatch(/ cccccccc +Ann +3 +412 kB +12 +1$/);
  expect(lines).toContain('Views and failures on the server that answered, since 2026-11-28 09:00:00 UTC.');
  expect(lines.at(-1)).toContain('2026-11-28 10:00:00  mf-legal  publish');
});

test('log has a preview link for each release that is stored and was not rolled back', async () => {
  const gone = '1.0.0-000000000000';
  answers['/mf-legal/log'] = { rows: [stateOf(), stateOf({ active: gone })] };
  const { lines } = await run('log', 'mf-legal');
  expect(lines[1]).toContain(` legal-team  –    ${PUBLIC_URL}/_preview/mf-legal/${next}`);
  expect(lines[2]).toMatch(new RegExp(`${gone} .* legal-team  –    –$`));
});

test('a first release offers no rollback', () => {
  const published = { version: next, outcome: 'active' as const, state: stateOf(), lines: [], preview: '/' };
  const linesOf = (previous: string | null) =>
    publishedLines(site, 'mf-legal', { ...published, previous }, (words) => words).join();
  expect(linesOf(former)).toContain('rollback mf-legal');
  expect(linesOf(null)).not.toContain('rollback');
});

describe('a change', () => {
  test('is based on the state that was read', async () => {
    changed(stateOf({ number: 8, action: 'rollback', active: former }));
    const { code, lines } = await run('rollback', 'mf-legal', '--why', 'a section is missing');
    expect(code).toBe(0);
    expect(changes).toEqual([{ action: 'rollback', remote: 'mf-legal', why: 'a section is missing', seen: 7 }]);
    expect(lines).toEqual(['The site says so.', `  activate:   releases activate mf-legal@${next}`]);
  });

  test('activates releases of several remotes at once, and undoes it at once', async () => {
    answers[''] = { remotes: [remote, { ...remote, remote: 'mf-help', state: stateOf({ remote: 'mf-help' }) }] };
    changed(...['mf-legal', 'mf-help'].map((name) => stateOf({ remote: name, action: 'activate' })));
    const releases = [`mf-legal@${next}`, `mf-help@${former}`];
    const { lines } = await run('activate', ...releases, '--site', site);
    expect(changes).toEqual([{ action: 'activate', releases }]);
    expect(lines[1]).toBe(`  undo:       releases activate mf-legal@${next} mf-help@${next} --site ${site}`);
  });

  test('whose answer is lost says what visitors get now', async () => {
    answers['/changes'] = undefined;
    const { code, lines } = await run('rollback', 'mf-legal');
    expect([code, changes.length]).toEqual([1, 1]);
    expect(lines[0]).toContain(`It is not known whether it was done. mf-legal: visitors get ${next} now.`);
  });

  test('says which command ends it, and that only operators lift the hold of an operator', async () => {
    changed(stateOf({ action: 'canary', active: former, canary: next, percent: 10 }));
    const canary = await run('canary', 'mf-legal', next, '--percent', '10');
    expect(changes).toEqual([{ action: 'canary', remote: 'mf-legal', version: next, percent: 10, seen: 7 }]);
    expect(canary.lines[2]).toBe('  end:        releases end mf-legal');
    changed(stateOf({ action: 'rollback', active: former, heldBy: 'ann', heldByOperator: true }));
    const rollback = await run('rollback', 'mf-legal');
    expect(rollback.lines[2]).toBe('  lift:       only operators: releases lift mf-legal');
  });

  test('with wrong words is not sent', async () => {
    const { code, lines } = await run('canary', 'mf-legal', next, '--percent', '100');
    expect([code, changes]).toEqual([2, []]);
    expect(lines[0]).toContain('percent: ');
  });
});
