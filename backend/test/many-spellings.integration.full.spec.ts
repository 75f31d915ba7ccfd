import { expect, test } from '@jest/globals';
import { WaitlistService } from '../src/waitlist/waitlist.service.ts';
import { privacyRequest, spelling } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

const subscribers = () =>
  database.query<{ email: string; unsubscribed: boolean }>(
    'SELECT email, unsubscribed_at IS NOT NULL AS unsubscribed FROM subscriber',
  );

test('20,000 spellings of an address are one subscriber with three events, whom one request unsubscribes and one command forgets', async () => {
  const waitlist = backend.app.get(WaitlistService);
  const visitor = async (first: number) => {
    for (let bits = first; bits < 20_000; bits += 10) await waitlist.signUp({ email: spelling(bits) });
  };
  await Promise.all(Array.from({ length: 10 }, (_, first) => visitor(first)));
  const [{ email } = { email: '' }, ...others] = await subscribers();
  expect(others).toEqual([]);
  expect(await database.query('SELECT count(*)::integer FROM waitlist_entry')).toEqual([{ count: 20_000 }]);
  expect(await eventsWith(database, { email })).toHaveLength(3);

  const [before] = await database.query<{ wal: string }>('SELECT pg_current_wal_insert_lsn() AS wal');
  const json = privacyRequest({ email: spelling(31_999) });
  expect((await backend.request('POST', '/api/privacy-requests', { json })).status).toBe(201);
  const [wal] = await database.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::integer AS bytes',
    [before?.wal],
  );
  expect(wal?.bytes).toBeLessThan(200_000);
  expect(await subscribers()).toEqual([{ email, unsubscribed: true }]);

  const { output } = await runOperator(database, ['subscribers', 'forget', spelling(32_001), '--yes', '--json']);
  expect(JSON.parse(output)).toMatchObject({ subscriber: true, entries: 20_000, events: 4, privacyRequests: 1 });
  expect(await subscribers()).toEqual([]);
  expect(await database.query('SELECT FROM waitlist_entry')).toEqual([]);
});
