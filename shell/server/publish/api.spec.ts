import {
  type Change,
  changedSchema,
  logSchema,
  publishedSchema,
  remoteSchema,
  remotesSchema,
} from '@daybook/contract/release';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { numbered, type Sent, sentOf, startRunningSite, type tokens } from '../test/running-site.ts';

// What becomes of a release, and which changes are possible, is in model.spec.ts; here is what the responses say.

type Holder = keyof typeof tokens;

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const [remote, signup] = ['mf-legal', 'mf-signup'];
const site = await startRunningSite();
const { client } = site;
beforeEach(() => site.empty());

const legal = (number: number, changes = {}) => sentOf(numbered(number, remote, changes));
const publish = async (sent: Sent, query = '', holder: Holder = 'legal') => {
  const { status, json } = await client.publish(sent, query, holder);
  return { did: `${status} ${json.outcome}`, status, ...json };
};
/** Publishes releases such as `1`, `2 percent=10` and `3 keep=true`. */
async function publishAll(releases: string, of = remote, ...paths: string[]) {
  for (const each of releases.split(', ')) {
    const [number, query = ''] = each.split(' ');
    const routes = [of === remote ? '/terms' : '/', ...paths].map((path) => routeOf(path));
    const { status } = await publish(sentOf(numbered(Number(number), of, { routes })), `?${query}`, 'operator');
    expect(status).toBe(201);
  }
}
async function change(asked: Change, holder: Holder = 'operator') {
  const { status, json } = await client.change(asked, holder);
  return { status, ...json };
}
const refused = (status: number, ...errors: (string | RegExp)[]) => ({
  status,
  errors: errors.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
});

describe('a release', () => {
  test('is active at once, with its page and files', async () => {
    const { status, json } = await client.publish(legal(1), '?why=hello', 'legal');
    expect(status).toBe(201);
    expect(publishedSchema.strict().parse(json)).toMatchObject({
      ...{ version: first, outcome: 'active', previous: null, preview: `/_preview/mf-legal/${first}` },
      state: { number: 1, action: 'publish', active: first, by: 'legal', why: 'hello' },
      lines: [`mf-legal: all visitors get ${first} instead of nothing.`],
    });
    expect((await send(site.url, '/terms')).text).toContain(`/remotes/mf-legal/${first}/`);
    const file = await send(site.url, `/remotes/mf-legal/${first}/remoteEntry.000000000001.js`);
    expect(file.text).toBe(`entry of mf-legal@${first}`);
  });

  test('that is published again changes nothing, and says by whom it was rolled back', async () => {
    await publishAll('1, 2');
    const again = `mf-legal@${second} was published before; nothing has changed.`;
    const active = [again, `mf-legal: all visitors get ${second}.`];
    expect(await publish(legal(2))).toMatchObject({ did: '200 unchanged', lines: active });
    await change({ action: 'rollback', remote, why: 'a typo' });
    expect((await publish(legal(2))).lines).toEqual([
      again,
      `mf-legal: all visitors get ${first}.`,
      expect.stringMatching(`^${second} was rolled back by operator, 20.*Z \\(a typo\\)\\.$`),
      `To give ${second} to visitors: activate mf-legal@${second}`,
    ]);
  });

  test('is kept, then becomes active when it is published', async () => {
    await publishAll('1');
    const kept = `mf-legal@${second} is stored; visitors with the link of its preview see it.`;
    const lines = [kept, `mf-legal: all visitors get ${first}.`];
    expect(await publish(legal(2), '?keep=true')).toMatchObject({ did: '201 kept', lines });
    expect(await publish(legal(2), '?keep=true')).toMatchObject({ did: '200 kept', lines });
    expect((await publish(legal(2))).did).toBe('201 active');
  });

  test.each([
    ['?percent=100', /^percent: /],
    ['?unknown=1', /unknown/],
  ])('with the query %s is refused', async (query, error) => {
    expect(await publish(legal(1), query)).toMatchObject(refused(400, error));
    expect((await client.show()).releases).toEqual([]);
  });

  test('that was compared with a former one is refused, and says whose is active', async () => {
    await publish(legal(1), '?base=none');
    await publish(legal(2, { commit: 'a'.repeat(40), author: 'Ann' }), `?base=${first}`);
    const who = `^Visitors have mf-legal@${second} by now \\(commit aaaaaaaaaa, by Ann, 20.*Z\\), and this release was compared`;
    for (const query of [`?base=${first}`, `?base=${first}&percent=10`])
      expect(await publish(legal(3), query)).toMatchObject(refused(409, new RegExp(who)));
    expect((await publish(legal(2), `?base=${first}`)).did).toBe('200 unchanged');
    expect((await publish(legal(3), `?keep=true&base=${first}`)).did).toBe('201 kept');
    expect((await publish(legal(3), `?base=${second}`)).did).toBe('201 active');
  });

  test('of a held remote is stored and not active', async () => {
    await publishAll('1');
    await change({ action: 'hold', remote }, 'legal');
    const again = refused(422, 'mf-legal is held already, by legal.');
    expect(await change({ action: 'hold', remote }, 'legal')).toMatchObject(again);
    const held = (by: string) => `mf-legal@${second} is stored and not active: mf-legal is held by ${by}.`;
    const get = `mf-legal: all visitors get ${first}.`;
    const lines = [held('legal'), get, `Once it is lifted: activate mf-legal@${second}`];
    expect(await publish(legal(2))).toMatchObject({ did: '201 held', lines });
    await change({ action: 'hold', remote });
    const ofOperator = [held('operator'), get, 'Only a token for all remotes can lift that.'];
    expect(await publish(legal(2))).toMatchObject({ did: '200 held', lines: ofOperator });
  });

  test('is stored once by its version: other content needs another version', async () => {
    await publishAll('1');
    const error = `mf-legal@${first} is stored with another content; build it again.`;
    expect(await publish(legal(1, { routes: [routeOf('/other')] }))).toMatchObject(refused(422, error));
    expect((await publish(legal(1, { commit: 'b'.repeat(40), author: 'Bob' }))).did).toBe('200 unchanged');
  });

  test('is refused with the paths that another remote has, and dead redirects', async () => {
    const routes = [routeOf('/'), routeOf('/faq')];
    await client.publish(sentOf(numbered(1, signup, { routes, redirects: { '/old': '/' } })));
    const changes = { routes: [...routes, routeOf('/old')], redirects: { '/gone': '/nowhere', '/x': '/old' } };
    const names = (path: string, claim: string) => `${path} of mf-legal@${first} ${claim} mf-signup@${first}.`;
    expect(await publish(legal(1, changes))).toMatchObject(
      refused(
        422,
        names('/', 'belongs to'),
        names('/faq', 'belongs to'),
        names('/old', 'is a redirect of'),
        'It redirects /gone to /nowhere, which is no page of the site.',
        'It redirects /x to /old, which is a redirect itself; name the last page.',
      ),
    );
    expect((await client.show()).releases).toEqual([]);
  });

  test('is published for the remotes of its token only', async () => {
    const own = 'This token is for mf-signup, not for mf-legal.';
    expect(await publish(legal(1), '', 'signup')).toMatchObject(refused(403, own));
    const { status, json } = await client.publish(legal(1), '', 'signup', signup);
    expect([status, json.errors]).toEqual([422, ['It is a release of mf-legal, not of mf-signup.']]);
    const nobody = await client.publish(legal(1), '', 'operator', 'mf-nobody');
    expect(nobody.json.errors).toEqual(['The site has no remote mf-nobody; it has mf-legal, mf-signup.']);
    const asked: Change = { action: 'activate', releases: [`mf-signup@${first}`, `mf-legal@${second}`] };
    expect(await change(asked, 'signup')).toMatchObject(refused(403, own));
  });
});

describe('a change', () => {
  test('back to the release before says so', async () => {
    await publishAll('1, 2, 3');
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

  test('activates several remotes together, so that a page moves between them', async () => {
    await publishAll('1', remote, '/faq');
    await publishAll('1', signup);
    await publishAll('2 keep=true');
    await publishAll('2 keep=true', signup, '/faq');
    const activate = (...releases: string[]) => change({ action: 'activate', releases });
    const taken = `/faq of mf-signup@${second} belongs to mf-legal@${first}.`;
    const hint = 'To move a page: activate both remotes at once.';
    expect(await activate(`mf-signup@${second}`)).toMatchObject(refused(422, taken, hint));
    const both = [`mf-signup@${second}`, `mf-legal@${second}`];
    const { lines, states } = await activate(...both);
    expect(lines).toEqual([signup, remote].map((name) => `${name}: all visitors get ${second} instead of ${first}.`));
    expect(states[0]?.at).toBe(states[1]?.at);
    // As after a response that was lost.
    const again = both.map((each) => `${each} is active already.`);
    expect(await activate(...both)).toMatchObject({ states: [], lines: again });
  });

  test('that lifts a hold lists what was stored meanwhile, with the command', async () => {
    await publishAll('1');
    const { lines } = await change({ action: 'hold', remote, why: 'an incident' }, 'legal');
    expect(lines[0]).toBe('mf-legal is held. New releases are stored and not activated until it is lifted.');
    await publishAll('2, 3');
    await change({ action: 'activate', releases: [`mf-legal@${second}`] });
    expect((await change({ action: 'lift', remote }, 'legal')).lines).toEqual([
      'mf-legal is no longer held.',
      `mf-legal: all visitors get ${second}.`,
      `Stored meanwhile: ${third}. To give it to visitors: activate mf-legal@${third}`,
    ]);
  });

  test('that an operator’s hold forbids names what the team can still do', async () => {
    await publishAll('1, 2, 3 percent=10');
    await change({ action: 'hold', remote });
    const who =
      'mf-legal is held by operator: only a token for all remotes can do this. You can roll back or end a canary.';
    expect(await change({ action: 'lift', remote }, 'legal')).toMatchObject(refused(403, who));
    const [ended] = (await change({ action: 'end', remote }, 'legal')).states;
    expect(ended).toMatchObject({ active: second, canary: null, percent: null, heldByOperator: true });
    const { lines } = await change({ action: 'rollback', remote }, 'legal');
    expect(lines.at(-1)).toMatch(/^mf-legal stays held by operator\./);
  });

  test('that gives a share of visitors what was rolled back is refused', async () => {
    await publishAll('1, 2');
    await change({ action: 'rollback', remote });
    const why = `mf-legal@${second} was rolled back. To give it to visitors: activate mf-legal@${second}`;
    expect(await change({ action: 'canary', remote, version: second, percent: 10 })).toMatchObject(refused(422, why));
  });

  test('of another state than was seen is refused, and says who changed it', async () => {
    await publishAll('1, 2');
    const who = /^mf-legal was changed meanwhile by operator \(publish, 20.*Z\)\. Look at it again/;
    expect(await change({ action: 'rollback', remote, seen: 1 }, 'legal')).toMatchObject(refused(409, who));
    expect((await change({ action: 'hold', remote: signup, seen: 0 })).status).toBe(201);
  });
});

test('show has what visitors get, and each stored release with its status', async () => {
  await publishAll('1, 2, 3, 4 percent=10, 5 keep=true');
  const { lines } = await change({ action: 'rollback', remote });
  expect(lines.at(-1)).toBe(`The canary of ${versionOf(4)} has ended, too.`);
  await change({ action: 'canary', remote, version: versionOf(4), percent: 20 });
  const { releases, ...shown } = remoteSchema.strict().parse(await client.show());
  expect(shown).toMatchObject({ remote, state: { active: second, percent: 20 }, previous: first });
  const statuses = ['stored', 'canary', 'rolled back', 'active', 'previous'];
  expect(releases.map(({ version, status }) => [version, status])).toEqual(
    statuses.map((status, index) => [versionOf(5 - index), status]),
  );
  expect(releases[4]).toMatchObject({ files: 1, size: 36, paths: ['/terms'] });
});

test('no answer is cached or indexed', async () => {
  for (const answer of [await client.read('/log'), await client.read('/mf-legal/log', 'signup')])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-robots-tag': 'noindex' });
});

test('the log has every change, the newest first; a team reads its own', async () => {
  await publishAll('1');
  await publishAll('1', signup);
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
