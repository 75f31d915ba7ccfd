import { publishedSchema } from '@daybook/contract/release';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, type Sent, sentOf, startRunningSite } from '../test/running-site.ts';

// What becomes of a release is in model.spec.ts, too; here is what the response says.

const [first, second] = [versionOf(1), versionOf(2)];
const legal = (number: number, changes = {}) => sentOf(numbered(number, 'mf-legal', changes));
const site = await startRunningSite();
const { client } = site;
beforeEach(() => site.empty());

const publish = async (sent: Sent, query = '', holder: 'legal' | 'signup' | 'operator' = 'legal') => {
  const { status, json } = await client.publish(sent, query, holder);
  return { did: `${status} ${json.outcome}`, status, lines: json.lines, errors: json.errors };
};
const publishAll = async (...numbers: number[]) => {
  for (const number of numbers) expect((await publish(legal(number))).status).toBe(201);
};
const refused = (status: number, ...errors: (string | RegExp)[]) => ({
  status,
  errors: errors.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
});

test('a published release is active at once, with its page and files', async () => {
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

test('publishing again what is active, or was, changes nothing', async () => {
  await publishAll(1, 2);
  const again = `mf-legal@${second} was published before; nothing has changed.`;
  const active = `mf-legal: all visitors get ${second}.`;
  expect(await publish(legal(2))).toMatchObject({ did: '200 unchanged', lines: [again, active] });
  const { did, lines } = await publish(legal(1));
  expect([did, lines.at(-1)]).toEqual(['200 unchanged', `To give ${first} to visitors: activate mf-legal@${first}`]);
});

test('publishing again what was rolled back changes nothing, and says by whom', async () => {
  await publishAll(1, 2);
  await client.change({ action: 'rollback', remote: 'mf-legal', why: 'a typo' });
  const { lines } = await publish(legal(2));
  expect(lines.slice(1)).toEqual([
    `mf-legal: all visitors get ${first}.`,
    expect.stringMatching(`^${second} was rolled back by operator, 20.*Z \\(a typo\\)\\.$`),
    `To give ${second} to visitors: activate mf-legal@${second}`,
  ]);
});

test('a release is kept, then becomes active when it is published', async () => {
  await publishAll(1);
  const kept = `mf-legal@${second} is stored; visitors with the link of its preview see it.`;
  const lines = [kept, `mf-legal: all visitors get ${first}.`];
  expect(await publish(legal(2), '?keep=true')).toMatchObject({ did: '201 kept', lines });
  expect(await publish(legal(2), '?keep=true')).toMatchObject({ did: '200 kept', lines });
  expect((await publish(legal(2))).did).toBe('201 active');
});

test.each([
  ['?percent=100', 400, /^percent: /],
  ['?base=latest', 400, /^base: /],
  ['?unknown=1', 400, /unknown/],
  ['?percent=10', 422, /^mf-legal has no active release yet, which all other visitors would get\.$/],
])('a release with the query %s is refused', async (query, status, error) => {
  expect(await publish(legal(1), query)).toMatchObject(refused(status, error));
  expect((await client.show()).releases).toEqual([]);
});

test('a release compared with a former one is refused, and says whose is active', async () => {
  await publish(legal(1), '?base=none');
  await publish(legal(2, { commit: 'a'.repeat(40), author: 'Ann' }), `?base=${first}`);
  const who = `^Visitors have mf-legal@${second} by now \\(commit aaaaaaaaaa, by Ann, 20.*Z\\), and this release was compared`;
  for (const query of [`?base=${first}`, `?base=${first}&percent=10`])
    expect(await publish(legal(3), query)).toMatchObject(refused(409, new RegExp(who)));
  expect((await publish(legal(2), `?base=${first}`)).did).toBe('200 unchanged');
  expect((await publish(legal(3), `?keep=true&base=${first}`)).did).toBe('201 kept');
  expect((await publish(legal(3), `?base=${second}`)).did).toBe('201 active');
});

test('while the remote is held, a release is stored and not active', async () => {
  await publishAll(1);
  await client.change({ action: 'hold', remote: 'mf-legal' }, 'legal');
  const held = (by: string) => `mf-legal@${second} is stored and not active: mf-legal is held by ${by}.`;
  const get = `mf-legal: all visitors get ${first}.`;
  const lines = [held('legal'), get, `Once it is lifted: activate mf-legal@${second}`];
  expect(await publish(legal(2))).toMatchObject({ did: '201 held', lines });
  await client.change({ action: 'hold', remote: 'mf-legal' });
  const ofOperator = [held('operator'), get, 'Only a token for all remotes can lift that.'];
  expect(await publish(legal(2))).toMatchObject({ did: '200 held', lines: ofOperator });
});

test('a version is stored once: other content needs another version', async () => {
  await publishAll(1);
  const error = `mf-legal@${first} is stored with another content; build it again.`;
  expect(await publish(legal(1, { routes: [routeOf('/other')] }))).toMatchObject(refused(422, error));
  expect((await publish(legal(1, { commit: 'b'.repeat(40), author: 'Bob' }))).did).toBe('200 unchanged');
});

test('paths that another remote has are named, and redirects that lead nowhere', async () => {
  const routes = [routeOf('/'), routeOf('/faq')];
  await client.publish(sentOf(numbered(1, 'mf-signup', { routes, redirects: { '/old': '/' } })));
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

test('a team publishes for its own remotes only', async () => {
  const own = 'This token is for mf-signup, not for mf-legal.';
  expect(await publish(legal(1), '', 'signup')).toMatchObject(refused(403, own));
  const { status, json } = await client.publish(legal(1), '', 'signup', 'mf-signup');
  expect([status, json.errors]).toEqual([422, ['It is a release of mf-legal, not of mf-signup.']]);
  const nobody = await client.publish(legal(1), '', 'operator', 'mf-nobody');
  expect(nobody.json.errors).toEqual(['The site has no remote mf-nobody; it has mf-legal, mf-signup.']);
});
