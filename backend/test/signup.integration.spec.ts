import { describe, expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend();

const entriesOf = (email: string) =>
  database.query<{ id: number; step: number; subscriber_id: number }>(
    'SELECT e.* FROM waitlist_entry e JOIN subscriber s ON s.id = e.subscriber_id WHERE s.email = $1',
    [email],
  );

describe('a signup', () => {
  test('responds with 201 and a new entry at step 1', async () => {
    const email = anAddress();
    const { status, body } = await signUp(backend, { email });
    expect({ status, body }).toEqual({ status: 201, body: { entry: { id: expect.any(Number), email } } });
    expect(await entriesOf(email)).toMatchObject([{ id: body.entry.id, step: 1 }]);
  });

  test('stores the address trimmed and with its domain in lower case', async () => {
    const { body } = await signUp(backend, { email: '  Grace.Hopper@Example.COM ' });
    expect(body.entry.email).toBe('Grace.Hopper@example.com');
  });

  test('creates a second entry of the same subscriber when the address signs up again', async () => {
    const email = anAddress();
    const first = await signUp(backend, { email });
    const second = await signUp(backend, { email });
    expect(second.body.entry.id).not.toBe(first.body.entry.id);
    expect(new Set((await entriesOf(email)).map((entry) => entry.subscriber_id)).size).toBe(1);
  });

  test('sends the same response for a known and an unknown address', async () => {
    const email = anAddress();
    const shapeOf = ({ status, headers, body }: Awaited<ReturnType<typeof signUp>>) => ({
      status,
      headers: [...headers.keys()],
      keys: [Object.keys(body), Object.keys(body.entry)],
    });
    const unknown = shapeOf(await signUp(backend, { email }));
    const known = shapeOf(await signUp(backend, { email }));
    expect(known).toEqual(unknown);
  });

  test('creates one subscriber and 50 entries for 50 concurrent signups with one address', async () => {
    const email = anAddress();
    const responses = await Promise.all(Array.from({ length: 50 }, () => signUp(backend, { email })));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(responses.map(({ body }) => body.entry.id)).size).toBe(50);
    expect(await entriesOf(email)).toHaveLength(50);
    expect(await database.query('SELECT FROM subscriber WHERE email = $1', [email])).toHaveLength(1);
  });
});
