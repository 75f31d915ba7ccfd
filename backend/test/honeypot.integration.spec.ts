import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { type Answer, startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

let database: TestDatabase;
let backend: TestBackend;

beforeAll(async () => {
  database = await createTestDatabase();
  backend = await startBackend({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await backend?.stop();
  await database?.drop();
});

const send = (json: object) => backend.request<{ entry: { id: number } }>('POST', '/api/waitlist', { json });
const count = async () => (await database.query('SELECT FROM waitlist_entry')).length;
const shapeOf = ({ status, headers, body, cookie }: Answer<{ entry: { id: number } }>) => ({
  status,
  headers: [...headers.keys()],
  keys: Object.keys(body.entry),
  cookie: cookie?.replace(/=.*/, ''),
});

describe('a signup with the field filled that people do not see', () => {
  test('is answered as any other, and stored nowhere', async () => {
    const real = await signUp(backend);
    const before = await count();
    const email = anAddress();
    const decoy = await send({ email, topic: 'Cheap watches' });
    expect(shapeOf(decoy)).toEqual(shapeOf(real));
    expect(decoy.body).toEqual({ entry: { id: expect.any(Number), email } });
    expect(await count()).toBe(before);
    expect(await database.query('SELECT FROM subscriber WHERE email = $1', [email])).toHaveLength(0);
  });

  test('gets another id each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await send({ email: anAddress(), topic: 'x' })).body.entry.id),
    );
    expect(new Set(ids).size).toBe(20);
  });

  test('is checked as any other', async () => {
    expect((await send({ email: 'nobody', topic: 'x' })).status).toBe(400);
  });
});

test.each([[{}], [{ topic: '' }]])('a signup with %p is stored', async (others) => {
  const before = await count();
  expect((await send({ email: anAddress(), ...others })).status).toBe(201);
  expect(await count()).toBe(before + 1);
});
