import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { completionNotice, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

// A single connection: its prepared statements are all there are.
const { backend } = useBackend({ DATABASE_POOL_SIZE: 1, PRIVACY_REQUESTS: 'record' });

const query = <Row>(text: string, values?: unknown[]) => backend.app.get(DataSource).query<Row[]>(text, values);

test('a signup is one statement, which is prepared once and reused', async () => {
  for (let count = 0; count < 3; count++) await signUp(backend);
  const uses = await query<{ uses: string }>(
    `SELECT (generic_plans + custom_plans)::integer AS uses FROM pg_prepared_statements
     WHERE statement LIKE '%INSERT INTO subscriber%'`,
  );
  expect(uses).toEqual([{ uses: 3 }]);
});

test('a failed statement leaves its connection usable, also for the same statement', async () => {
  const divide = (by: number) => query<{ result: number }>('SELECT 6 / $1::integer AS result', [by]);
  await expect(divide(0)).rejects.toThrow('division by zero');
  await expect(divide(2)).resolves.toEqual([{ result: 3 }]);
  await expect(query('SELECT $1::integer FROM nowhere', [1])).rejects.toThrow('does not exist');
  await expect(query('SELECT $1::integer FROM nowhere', [1])).rejects.toThrow('does not exist');
  await expect(divide(3)).resolves.toEqual([{ result: 2 }]);
});

test('a statement without values is not prepared', async () => {
  await query('SELECT 1; SELECT 2');
  expect(await query('SELECT 1 FROM pg_prepared_statements WHERE statement = $1', ['SELECT 1; SELECT 2'])).toEqual([]);
});

test('a column that a migration adds while the backend runs breaks no call', async () => {
  const callAll = async () => {
    const { body, cookie = '' } = await signUp(backend);
    const { id, email } = body.entry;
    const entry = `/api/waitlist/${id}`;
    const responses = [
      await backend.request('PUT', `${entry}/step/2`),
      await backend.request('PUT', `${entry}/complete`),
      await backend.request('PUT', `${entry}/offers`, { json: { selectedOffers: [] } }),
      await backend.request('POST', `${entry}/notify-complete`, { json: completionNotice() }),
      await backend.request('GET', `/api/waitlist/by-email?email=${email}`, { headers: { cookie } }),
      await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice() }),
      await backend.request('POST', '/api/privacy-requests', { json: privacyRequest() }),
    ];
    return responses.map(({ status }) => status);
  };
  const statuses = [200, 200, 200, 200, 200, 200, 201];
  expect(await callAll()).toEqual(statuses);
  for (const table of ['subscriber', 'waitlist_entry', 'emergency_notice', 'privacy_request', 'outbox_event'])
    await query(`ALTER TABLE ${table} ADD COLUMN added_later integer`);
  expect(await callAll()).toEqual(statuses);
});
