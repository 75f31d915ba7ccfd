import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anAddress, privacyRequest, signUp } from './support/factories.ts';
import { eventsWith } from './support/outbox.ts';
import { startBackend, type TestBackend, type TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record', OPERATOR_TOKEN: 'a'.repeat(32) });

/** Returns the ids of an address's entries. */
const entriesOf = async (email: string) =>
  (
    await database.query<{ id: number }>(
      'SELECT e.id::float AS id FROM waitlist_entry e JOIN subscriber s ON s.id = subscriber_id WHERE email = $1',
      [email],
    )
  ).map(({ id }) => id);
const subscribersOf = (email: string) =>
  database.query<{ unsubscribed: boolean }>(
    'SELECT unsubscribed_at IS NOT NULL AS unsubscribed FROM subscriber WHERE email = $1',
    [email],
  );
const eventsOf = async (email: string) =>
  (await eventsWith(database, { email })).filter(({ type }) => type === 'signup.created').map(({ data }) => data);
const resultOf = ({ status, body }: TestResponse) => ({ status, body });

describe('a signup with an Idempotency-Key', () => {
  test('gets the response of the first request when it is retried, and stores nothing more', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    const first = await signUp(backend, { email, key });
    expect(resultOf(first)).toEqual({ status: 201, body: { entry: { id: expect.any(Number), email } } });
    for (let retry = 0; retry < 3; retry += 1)
      expect(resultOf(await signUp(backend, { email, key }))).toEqual(resultOf(first));
    expect(await entriesOf(email)).toEqual([first.body.entry.id]);
    expect(await eventsOf(email)).toMatchObject([{ entryId: first.body.entry.id }]);
  });

  test('sets the cookie again, because the first response may be lost, and once per entry', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    const { cookie: former } = await signUp(backend);
    await signUp(backend, { email, key, cookie: former });
    const { cookie, body } = await signUp(backend, { email, key, cookie: former });
    const found = await backend.request('GET', `/api/waitlist/by-email?email=${email}`, {
      headers: { cookie: cookie ?? '' },
    });
    expect(resultOf(found)).toEqual({ status: 200, body });
    expect((await signUp(backend, { email, key, cookie })).cookie).toBe(cookie);
  });

  test('recognizes the same spelling of the key without hyphens and in capitals, and of the address', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    const { body } = await signUp(backend, { email, key });
    const others = [key.replaceAll('-', ''), key.toUpperCase()];
    for (const other of others) expect((await signUp(backend, { email, key: other })).body).toEqual(body);
    expect((await signUp(backend, { email: ` ${email.replace('example', 'EXAMPLE')}`, key })).body).toEqual(body);
  });

  test.each([
    ['', 400],
    ['1', 400],
    ['key', 400],
    ["' OR 1=1 --", 400],
    [`${randomUUID()}0`, 400],
    [randomUUID().replace(/^./, 'g'), 400],
    [`{${randomUUID()}}`, 400],
    [`${randomUUID()}, ${randomUUID()}`, 400],
    ['x'.repeat(4_000), 400],
    [randomUUID(), 201],
  ])('is validated: %p gets %p', async (key, status) => {
    const email = anAddress();
    const response = await signUp(backend, { email, key });
    expect(response.status).toBe(status);
    expect(await entriesOf(email)).toHaveLength(status === 201 ? 1 : 0);
    if (status === 400)
      expect(response.body).toEqual({
        statusCode: 400,
        message: 'Idempotency-Key must be a UUID.',
        error: 'VALIDATION_FAILED',
      });
  });

  test('is rejected with another address, which is not stored, and reveals nothing of the first', async () => {
    const [victim, email, key] = [anAddress(), anAddress(), randomUUID()];
    const first = await signUp(backend, { email: victim, key });
    const responses = await Promise.all(Array.from({ length: 5 }, () => signUp(backend, { email, key })));
    for (const { status, body, cookie } of responses) {
      expect({ status, cookie }).toEqual({ status: 422, cookie: undefined });
      expect(body).toMatchObject({ error: 'IDEMPOTENCY_KEY_REUSED' });
      expect(JSON.stringify(body)).not.toContain(victim);
      expect(JSON.stringify(body)).not.toContain(String(first.body.entry.id));
    }
    expect([await subscribersOf(email), await eventsOf(email)]).toEqual([[], []]);
    expect(await entriesOf(victim)).toEqual([first.body.entry.id]);
  });

  test('is independent of signups without a key, or with another one', async () => {
    const email = anAddress();
    const keys = [randomUUID(), undefined, undefined, randomUUID()];
    const ids = [];
    for (const key of keys) ids.push((await signUp(backend, { email, key })).body.entry.id);
    expect(new Set(ids).size).toBe(4);
    expect((await signUp(backend, { email, key: keys[0] })).body.entry.id).toBe(ids[0]);
  });

  test('does not end an unsubscribe that followed the first request', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    await signUp(backend, { email, key });
    await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    expect((await signUp(backend, { email, key })).status).toBe(201);
    expect(await subscribersOf(email)).toEqual([{ unsubscribed: true }]);
  });

  test('stays suspected when it is retried without the honeypot field', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    const { body } = await signUp(backend, { email, key, topic: 'Cheap watches' });
    expect((await signUp(backend, { email, key })).body).toEqual(body);
    expect(await eventsOf(email)).toEqual([]);
    expect(await database.query('SELECT suspected FROM waitlist_entry WHERE id = $1', [body.entry.id])).toEqual([
      { suspected: true },
    ]);
  });

  test('can be used again after the entry is erased', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    const { body } = await signUp(backend, { email, key });
    await database.query('DELETE FROM waitlist_entry WHERE id = $1', [body.entry.id]);
    const again = await signUp(backend, { email, key });
    expect([again.status, again.body.entry.id === body.entry.id]).toEqual([201, false]);
  });

  test('is counted as stored once, and as repeated for each retry', async () => {
    const counts = async () => {
      const headers = { Authorization: `Bearer ${'a'.repeat(32)}` };
      const text = await (await fetch(`${backend.url}/metrics`, { headers })).text();
      const count = (outcome: string) =>
        Number(new RegExp(`daybook_signups_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
      return [count('stored'), count('repeated')];
    };
    const [stored = 0, repeated = 0] = await counts();
    const [email, key] = [anAddress(), randomUUID()];
    for (let time = 0; time < 4; time += 1) await signUp(backend, { email, key });
    expect(await counts()).toEqual([stored + 1, repeated + 3]);
  });
});

describe('concurrent signups with one Idempotency-Key', () => {
  test('get one entry and store one event, on two backends', async () => {
    const other = await startBackend({ DATABASE_URL: database.url });
    const [email, key] = [anAddress(), randomUUID()];
    const call = (_: unknown, turn: number) => signUp(turn % 2 ? backend : other, { email, key });
    const responses = await Promise.all(Array.from({ length: 40 }, call));
    await other.stop();
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(new Set(responses.map(({ body }) => body.entry.id))).toEqual(new Set(await entriesOf(email)));
    expect(await entriesOf(email)).toHaveLength(1);
    expect(await eventsOf(email)).toHaveLength(1);
  });

  test('store one address if they have several, and no subscriber of the others', async () => {
    const key = randomUUID();
    const emails = Array.from({ length: 20 }, anAddress);
    const responses = await Promise.all(emails.map((email) => signUp(backend, { email, key })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
    const stored = await Promise.all(emails.map(async (email) => (await subscribersOf(email)).length));
    expect(stored).toEqual(responses.map(({ status }) => (status === 201 ? 1 : 0)));
  });

  test('store the entry once if the first transaction is rolled back', async () => {
    const [email, key] = [anAddress(), randomUUID()];
    // Holds the first request before its commit.
    const holder = await database.lock('LOCK outbox_event IN SHARE MODE');
    const first = signUp(backend, { email, key });
    await database.waiting(1);
    const retry = signUp(backend, { email, key });
    await database.waiting(2);
    const [waiting] = await database.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0 ORDER BY query_start LIMIT 1",
    );
    await database.query('SELECT pg_terminate_backend($1)', [waiting?.pid]);
    await holder.end();
    expect((await first).status).toBe(503);
    expect((await retry).status).toBe(201);
    expect((await signUp(backend, { email, key })).body).toEqual((await retry).body);
    expect(await entriesOf(email)).toHaveLength(1);
    expect(await eventsOf(email)).toHaveLength(1);
  });

  test('get the first address of their key, for any order, keys and addresses', async () => {
    const request = fc.record({ key: fc.nat(3), email: fc.nat(2), at: fc.nat(1) });
    const other = await startBackend({ DATABASE_URL: database.url });
    const backends: readonly TestBackend[] = [backend, other];
    const scenario = fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(scenario, async (waves) => {
        const keys = Array.from({ length: 4 }, () => randomUUID());
        const emails = Array.from({ length: 3 }, anAddress);
        const winners = new Map<number, string>();
        for (const wave of waves) {
          const responses = await Promise.all(
            wave.map(async ({ key, email, at }) => {
              const response = await signUp(backends[at] as TestBackend, {
                email: emails[email] ?? '',
                key: keys[key],
              });
              return { key, email, status: response.status, entry: response.body.entry };
            }),
          );
          for (const { key, email, status, entry } of responses) {
            expect([201, 422]).toContain(status);
            if (status !== 201) continue;
            const winner = `${email} ${entry.id}`;
            expect(winners.get(key) ?? winner).toBe(winner);
            winners.set(key, winner);
          }
          for (const { key, email, status } of responses)
            expect(status).toBe(winners.get(key)?.startsWith(`${email} `) ? 201 : 422);
        }
        for (const [place, email] of emails.entries()) {
          const ids = [...winners.values()].flatMap((winner) => {
            const [owner, id] = winner.split(' ').map(Number);
            return owner === place ? [id] : [];
          });
          expect(new Set(await entriesOf(email))).toEqual(new Set(ids));
          expect(new Set((await eventsOf(email)).map((data) => data.entryId))).toEqual(new Set(ids));
          expect(await eventsOf(email)).toHaveLength(ids.length);
          expect(await subscribersOf(email)).toHaveLength(ids.length > 0 ? 1 : 0);
        }
      }),
      { numRuns: 40 },
    );
    await other.stop();
  });
});

test('a backend of the earlier version signs up on the new schema', async () => {
  const email = anAddress();
  await database.query('INSERT INTO subscriber (email) VALUES ($1)', [email]);
  const insert = () =>
    database.query(
      'INSERT INTO waitlist_entry (id, subscriber_id, suspected) SELECT floor(random() * 1e12), id, false FROM subscriber WHERE email = $1',
      [email],
    );
  await insert();
  await insert();
  expect(await entriesOf(email)).toHaveLength(2);
});
