import { type Change, changedSchema, logSchema, remoteSchema, remotesSchema } from '@daybook/contract/release';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, sentOf, startRunningSite } from '../test/running-site.ts';

// Which changes are possible is in model.spec.ts; here is what they say.

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const [remote, signup] = ['mf-legal', 'mf-signup'];
const site = await startRunningSite();
const { client } = site;
beforeEach(() => site.empty());

/** Publishes releases such as `1`, `2 percent=10` and `3 keep=true`. */
async function publish(releases: string, of = remote, ...paths: string[]) {
  for (const each of releases.split(', ')) {
    const [number, query] = each.split(' ');
    const routes = [of === remote ? '/terms' : '/', ...paths].map((path) => routeOf(path));
    const { status, text } = await client.publish(sentOf(numbered(Number(number), of, { routes })), `?${query ?? ''}`);
    if (status >= 300) throw new Error(text);
  }
}

async function change(asked: Change, holder: 'legal' | 'signup' | 'operator' = 'operator') {
  const { status, json } = await client.change(asked, holder);
  return { status, lines: json.lines, errors: json.errors, states: json.states };
}
const activate = (...releases: string[]) => change({ action: 'activate', releases });
const hint = 'To move a page: activate both remotes at once.';
const refused = (status: number, ...errors: (string | RegExp)[]) => ({
  status,
  errors: errors.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
});

test('a rollback leads to the release before, and says so', async () => {
  await publish('1, 2, 3');
  const { status, json } = await client.change({ action: 'rollback', remote, why: 'a typo', seen: 3 }, 'legal');
  expect([status, await client.versionOf()]).toEqual([201, second]);
  expect(changedSchema.strict().parse(json)).toMatchObject({
    states: [{ number: 4, action: 'rollback', active: second, by: 'legal', why: 'a typo' }],
    lines: [
      `mf-legal: ${third} is rolled back; all visitors get ${second}.`,
      `${third} becomes active again only by activate.`,
    ],
  });
});

test('a rollback to a named version is possible to one that visitors had', async () => {
  await publish('1, 2, 3, 4 keep=true');
  const to = (version: string) => change({ action: 'rollback', remote, version });
  expect((await to(first)).status).toBe(201);
  const unless = 'To give it to visitors: activate mf-legal@';
  expect(await to(second)).toMatchObject(refused(422, `mf-legal@${second} was rolled back. ${unless}${second}`));
  expect(await to(versionOf(4))).toMatchObject(refused(422, /was never active\. To give/));
  expect(await to(first)).toMatchObject(refused(422, `mf-legal@${first} is active for all visitors already.`));
});

test('several remotes are activated together, so that a page moves between them', async () => {
  await publish('1', remote, '/faq');
  await publish('1', signup);
  await publish('2 keep=true');
  await publish('2 keep=true', signup, '/faq');
  const alone = await activate(`mf-signup@${second}`);
  expect(alone).toMatchObject(refused(422, `/faq of mf-signup@${second} belongs to mf-legal@${first}.`, hint));
  const both = [`mf-signup@${second}`, `mf-legal@${second}`];
  const { lines, states } = await activate(...both);
  expect(lines).toEqual([signup, remote].map((name) => `${name}: all visitors get ${second} instead of ${first}.`));
  expect(states[0]?.at).toBe(states[1]?.at);
  // As after a response that was lost.
  expect(await activate(...both)).toMatchObject({
    states: [],
    lines: both.map((each) => `${each} is active already.`),
  });
});

test('lifting a hold lists what was stored meanwhile, with the command', async () => {
  await publish('1');
  const { lines } = await change({ action: 'hold', remote, why: 'an incident' }, 'legal');
  expect(lines[0]).toBe('mf-legal is held. New releases are stored and not activated until it is lifted.');
  await publish('2, 3');
  await activate(`mf-legal@${second}`);
  expect((await change({ action: 'lift', remote }, 'legal')).lines).toEqual([
    'mf-legal is no longer held.',
    `mf-legal: all visitors get ${second}.`,
    `Stored meanwhile: ${third}. To give it to visitors: activate mf-legal@${third}`,
  ]);
});

test('an operator’s hold binds the team, which can still roll back and end a canary', async () => {
  await publish('1, 2, 3 percent=10');
  await change({ action: 'hold', remote });
  const who =
    'mf-legal is held by operator: only a token for all remotes can do this. You can roll back or end a canary.';
  expect(await change({ action: 'lift', remote }, 'legal')).toMatchObject(refused(403, who));
  expect((await change({ action: 'end', remote }, 'legal')).status).toBe(201);
  const { lines } = await change({ action: 'rollback', remote }, 'legal');
  expect(lines.at(-1)).toMatch(/^mf-legal stays held by operator\./);
});

test.each<[Change, RegExp]>([
  [{ action: 'canary', remote, version: first, percent: 5 }, /^mf-legal has no active release yet, which all other/],
  [{ action: 'rollback', remote }, /^mf-legal has no stored release that visitors had before the first one\.$/],
  [{ action: 'hold', remote: signup }, /^mf-signup is held already, by operator\.$/],
])('the error of %j says why', async (asked, error) => {
  await change({ action: 'hold', remote: signup });
  expect(await change(asked)).toMatchObject(refused(422, error));
});

test('a change of another state than was seen is refused, and says who changed it', async () => {
  await publish('1, 2');
  const who = /^mf-legal was changed meanwhile by operator \(publish, 20.*Z\)\. Look at it again/;
  expect(await change({ action: 'rollback', remote, seen: 1 }, 'legal')).toMatchObject(refused(409, who));
  expect((await change({ action: 'hold', remote: signup, seen: 0 })).status).toBe(201);
});

test('a team changes its own remotes only', async () => {
  const asked: Change = { action: 'activate', releases: [`mf-signup@${first}`, `mf-legal@${second}`] };
  expect(await change(asked, 'signup')).toMatchObject(refused(403, 'This token is for mf-signup, not for mf-legal.'));
});

test('show has what visitors get, and each stored release with its status', async () => {
  await publish('1, 2, 3, 4 percent=10, 5 keep=true');
  await change({ action: 'rollback', remote });
  await change({ action: 'canary', remote, version: versionOf(4), percent: 20 });
  const { releases, ...shown } = remoteSchema.strict().parse(await client.show());
  expect(shown).toMatchObject({ remote, state: { active: second, percent: 20 }, previous: first });
  const statuses = ['stored', 'canary', 'rolled back', 'active', 'previous'];
  expect(releases.map(({ version, status }) => [version, status])).toEqual(
    statuses.map((status, index) => [versionOf(5 - index), status]),
  );
  expect(releases[4]).toMatchObject({ files: 1, size: 36, paths: ['/terms'], views: 0, failures: 0 });
});

test('the log has every change, the newest first; a team reads its own', async () => {
  await publish('1');
  await publish('1', signup);
  await change({ action: 'hold', remote, why: 'an incident' });
  const log = async (what: string) =>
    logSchema.parse((await client.read(what)).json).rows.map((row) => `${row.remote} ${row.number} ${row.why}`);
  const [publication, hold] = ['mf-legal 1 ', 'mf-legal 2 an incident'];
  expect(await log('/mf-legal/log')).toEqual([hold, publication]);
  expect(await log('/log')).toEqual([hold, 'mf-signup 1 ', publication]);
  const { json } = await client.read('/', 'signup');
  expect(remotesSchema.parse(json).remotes.map(({ remote: name }) => name)).toEqual([signup]);
  expect((await client.read('/mf-legal/log', 'signup')).status).toBe(403);
});
