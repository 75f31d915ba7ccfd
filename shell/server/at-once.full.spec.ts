import { setTimeout as delay } from 'node:timers/promises';
import { routeOf } from '@daybook/testing/releases';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  newDatabase,
  numbered,
  queryDatabase,
  type RunningSite,
  sentOf,
  startRunningSite,
} from './test/running-site.ts';

// Two servers on one database get requests at the same time, hundreds of times.

const rounds = Number(process.env.ROUNDS) || 200;

let one: RunningSite;
let other: RunningSite;
beforeEach(async () => {
  const database = await newDatabase();
  const variables = { RELEASES_KEPT: '2' };
  [one, other] = [await startRunningSite({ database, variables }), await startRunningSite({ database, variables })];
});
afterEach(() => Promise.all([one.stop(), other.stop()]));

/** Two requests at once, at any distance in time. */
const atOnce = <Answer>(...requests: readonly (() => Promise<Answer>)[]) =>
  Promise.all(requests.map((request) => delay(Math.random() * 10).then(request)));

const releaseOf = (remote: string, number: number, paths: readonly string[]) =>
  sentOf(numbered(number, remote, { routes: paths.map((path) => routeOf(path)) }));
const legal = (number: number, ...paths: string[]) => releaseOf('mf-legal', number, ['/terms', ...paths]);
const signup = (number: number, ...paths: string[]) => releaseOf('mf-signup', number, ['/', ...paths]);

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

test('a path that two remotes claim at once becomes that of one', async () => {
  for (let round = 1; round <= rounds / 2; round += 1) {
    const number = 2 * round;
    for (const sent of [legal(number), signup(number)]) expect((await one.client.publish(sent)).status).toBe(201);
    const query = round % 2 === 0 ? '?percent=10' : '';
    const answers = await atOnce(
      () => one.client.publish(legal(number + 1, '/faq')),
      () => other.client.publish(signup(number + 1, '/faq'), query),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const errors = answers.flatMap(({ json }) => json.errors ?? []);
    expect(errors[0]).toMatch(/^\/faq of mf-.* belongs to mf-/);
  }
}, 600_000);

const missingFiles = `
  SELECT remote, version, name FROM releases.release, json_each(manifest::json -> 'files') AS file(name, value)
  WHERE NOT EXISTS (
    SELECT FROM releases.blob JOIN releases.file USING (hash)
    WHERE (file.remote, file.version) = (release.remote, release.version)
    AND hash = translate(substr(value ->> 'integrity', 8), '+/', '-_')
  )`;

test('no release loses files that it shares with those being removed', async () => {
  const shared = ['a', 'b', 'c', 'd', 'e'];
  const sharing = (remote: string, number: number) => {
    const release = numbered(number, remote);
    const contents = shared.filter(() => Math.random() < 0.5);
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
    expect(await queryDatabase(one.database, missingFiles)).toEqual([]);
  }
}, 600_000);
