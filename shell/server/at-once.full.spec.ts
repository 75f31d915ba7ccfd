import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@daybook/testing/eventually';
import { randomFrom } from '@daybook/testing/random';
import { routeOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { startShellServer } from '@daybook/testing/site';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  newDatabase,
  numbered,
  queryDatabase,
  type RunningSite,
  type Sent,
  sentOf,
  startRunningSite,
  TestClient,
} from './test/running-site.ts';

// Two servers on one database get requests at the same time, hundreds of times; processes are killed in the middle.

const rounds = Number(process.env.ROUNDS) || 200;
const random = randomFrom(Number(process.env.SEED) || 7);

let one: RunningSite;
let other: RunningSite;
beforeEach(async () => {
  const database = await newDatabase();
  const variables = { RELEASES_KEPT: '2' };
  [one, other] = [await startRunningSite({ database, variables }), await startRunningSite({ database, variables })];
});
afterEach(() => Promise.all([one.stop(), other.stop()]));

/** Two requests at once, at any distance in time. */
const atOnce = <First, Second>(first: () => Promise<First>, second: () => Promise<Second>) =>
  Promise.all([delay(random() * 10).then(first), delay(random() * 10).then(second)]);

const legal = (number: number, ...paths: string[]) =>
  sentOf(numbered(number, 'mf-legal', { routes: ['/terms', ...paths].map((path) => routeOf(path)) }));
const signup = (number: number, ...paths: string[]) =>
  sentOf(numbered(number, 'mf-signup', { routes: ['/', ...paths].map((path) => routeOf(path)) }));

test('of two releases of a remote at once both are stored, and both answers are true', async () => {
  let active = 'nothing';
  for (let round = 1; round <= rounds; round += 1) {
    const answers = await atOnce(
      () => one.client.publish(legal(2 * round)),
      () => other.client.publish(legal(2 * round + 1)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const ordered = answers.map(({ json }) => json).sort((a, b) => (a.state?.number ?? 0) - (b.state?.number ?? 0));
    for (const { version, state, lines } of ordered) {
      expect(lines).toEqual([`mf-legal: all visitors get ${version} instead of ${active}.`]);
      expect(state?.active).toBe(version);
      active = version;
    }
    expect((await one.client.show()).state).toMatchObject({ number: 2 * round, active });
  }
}, 600_000);

test('the same release at once is stored once', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const publish = (site: RunningSite) => () => site.client.publish(legal(round));
    const answers = await atOnce(publish(one), publish(other));
    expect(answers.map(({ json }) => json.outcome).sort()).toEqual(['active', 'unchanged']);
  }
}, 600_000);

/** Expects that one of two was done, and that the other one was refused for its path. */
function expectOne(
  answers: readonly { readonly status: number; readonly json: { readonly errors?: readonly string[] } }[],
) {
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const { json } = answers.find(({ status }) => status === 422) ?? {};
  expect(json?.errors?.[0]).toMatch(/^\/faq of mf-.* belongs to mf-/);
}

test('a path that two remotes claim at once becomes that of one', async () => {
  for (let round = 1; round <= rounds / 2; round += 1) {
    const number = 2 * round;
    for (const sent of [legal(number), signup(number)]) expect((await one.client.publish(sent)).status).toBe(201);
    const query = round % 2 === 0 ? '?percent=10' : '';
    expectOne(
      await atOnce(
        () => one.client.publish(legal(number + 1, '/faq')),
        () => other.client.publish(signup(number + 1, '/faq'), query),
      ),
    );
  }
}, 600_000);

/** Returns the stored releases of which something is missing. */
const incomplete = (database: string) =>
  queryDatabase(
    database,
    `SELECT remote, version, name FROM releases.release, json_each(manifest::json -> 'files') AS file(name, value)
     WHERE NOT EXISTS (
       SELECT FROM releases.blob JOIN releases.file USING (hash)
       WHERE (file.remote, file.version) = (release.remote, release.version)
       AND hash = translate(substr(value ->> 'integrity', 8), '+/', '-_')
     )`,
  );

test('no release loses files that it shares with those being removed', async () => {
  const shared = ['a', 'b', 'c', 'd', 'e'];
  const sharing = (remote: string, number: number): Sent => {
    const release = numbered(number, remote);
    const contents = shared.filter(() => random() < 0.5);
    return sentOf(release, {
      [release.entry]: `${remote} ${number}`,
      ...Object.fromEntries(contents.map((content) => [`${content}.js`, content])),
    });
  };
  for (let round = 1; round <= rounds; round += 1) {
    const answers = await atOnce(
      () => one.client.publish(sharing('mf-legal', round)),
      () => other.client.publish(sharing('mf-signup', round)),
    );
    expect(answers.map(({ status, text }) => (status === 201 ? '' : text))).toEqual(['', '']);
    expect(await incomplete(one.database)).toEqual([]);
  }
}, 600_000);

/** Connections of a server that was killed, until the database notices. */
const inTransaction = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;

test('of a release whose server is killed, all is stored or nothing', async () => {
  const started = performance.now();
  await one.client.publish(legal(1));
  const time = 2 * (performance.now() - started);
  const seen = { answered: 0, stored: 0, not: 0 };
  for (let number = 2; number < 2 + rounds / 10; number += 1) {
    const { url, child } = await startShellServer({
      releasesFolder: `${one.site.folder}/killed`,
      releasesDatabaseUrl: one.database,
      tokensFile: `${one.site.folder}/tokens.txt`,
      shellFolder: one.site.shellFolder,
      shellVariables: { LOG_LEVEL: 'silent' },
    });
    const release = numbered(number);
    const files = { [release.entry]: `${number}`, 'a.js': Buffer.alloc(2_000_000, number) };
    const published = new TestClient(url).publish(sentOf(release, files)).catch(() => undefined);
    await delay(random() * time);
    child.kill('SIGKILL');
    await child;
    const answer = await published;
    await eventually(async () => expect(await queryDatabase(one.database, inTransaction)).toEqual([]));
    const { state, releases } = await one.client.show();
    const isStored = releases.some(({ version }) => version === release.version);
    expect({ isStored, isActive: state?.active === release.version }).toEqual({ isStored, isActive: isStored });
    if (answer) expect([answer.status, isStored]).toEqual([201, true]);
    if (isStored) {
      const { body } = await send(other.url, `/remotes/mf-legal/${release.version}/a.js`);
      expect(body).toHaveLength(2_000_000);
    }
    seen[answer ? 'answered' : isStored ? 'stored' : 'not'] += 1;
  }
  expect(await incomplete(one.database)).toEqual([]);
  expect(seen.not).toBeGreaterThan(0);
}, 600_000);
