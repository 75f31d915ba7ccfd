import { type ErrorBody, errorBodySchema, type ProofChallenge } from '@daybook/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CountTable } from '../src/limits/count-table.ts';
import { ProofOfWork as ProofOfWorkChallenges } from '../src/limits/proof-of-work.ts';
import { anAddress, answerTo, emergencyNotice, signUp } from './support/factories.ts';
import { type Answer, startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

let database: TestDatabase;
let backend: TestBackend;
let other: TestBackend;

/** Two backends on one database that take a single signup a minute without work. */
beforeAll(async () => {
  database = await createTestDatabase();
  backend = await startBackend({ DATABASE_URL: database.url, LIMIT_GLOBAL_SIGNUPS: 1 });
  other = await startBackend({ DATABASE_URL: database.url, LIMIT_GLOBAL_SIGNUPS: 1 });
  for (const each of [backend, other]) await signUp(each);
});

afterAll(async () => {
  await backend?.stop();
  await other?.stop();
  await database?.drop();
});

const send = (email: string, proofOfWork?: unknown, to = backend) =>
  to.request<ErrorBody>('POST', '/api/waitlist', { json: { email, proofOfWork } });

function expectChallenge({ status, headers, body }: Answer<ErrorBody>): void {
  expect([status, body.error]).toEqual([429, 'PROOF_OF_WORK_REQUIRED']);
  expect(errorBodySchema.parse(body)).toEqual(body);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(body.proofOfWork).toEqual({ challenge: expect.any(String), difficulty: 14 });
}

const answered = ({ body }: Answer<ErrorBody>) => answerTo(body.proofOfWork as ProofChallenge);

const stored = async (email: string) =>
  (await database.query('SELECT FROM subscriber WHERE email = $1', [email])).length;

describe('when more sign up in all than the limit', () => {
  test('a signup is asked for some work, and taken with it', async () => {
    const email = anAddress();
    const asked = await send(email);
    expectChallenge(asked);
    expect(await stored(email)).toBe(0);
    expect((await send(email, answered(asked))).status).toBe(201);
    expect(await stored(email)).toBe(1);
  });

  test('work done for one backend is taken by another, and by all of them once', async () => {
    const proof = answered(await send(anAddress()));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(anAddress(), proof, index % 2 ? backend : other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(429)]);
  });

  test('work that is none is not taken', async () => {
    const { challenge, answer } = answered(await send(anAddress()));
    const [nonce, end, bits, signature] = challenge.split('.');
    const spoiled = [
      { challenge, answer: answer + 1 },
      { challenge: `${nonce}.${end}.0.${signature}`, answer: 0 },
      { challenge: `${nonce}.${Number(end) + 60_000}.${bits}.${signature}`, answer },
      { challenge: 'x', answer },
      { challenge: '....', answer },
      { challenge: 7, answer: null },
      'work',
      null,
    ];
    for (const each of spoiled) expectChallenge(await send(anAddress(), each));
    expect((await send(anAddress(), { challenge, answer })).status).toBe(201);
  });

  test('a challenge is over after two minutes', async () => {
    let now = Date.now();
    const work = new ProofOfWorkChallenges(['a'.repeat(32)], backend.app.get(CountTable, { strict: false }), () => now);
    const proofOfWork = answerTo(work.challenge());
    now += 2 * 60_000;
    expect(await work.isShownBy({ proofOfWork })).toBe(false);
    now -= 1;
    expect(await work.isShownBy({ proofOfWork })).toBe(true);
    expect(await work.isShownBy({ proofOfWork })).toBe(false);
  });

  test('emergency notices have a count of their own, and no such way', async () => {
    const notify = () => backend.request<ErrorBody>('POST', '/api/emergency-webhook', { json: emergencyNotice() });
    expect((await notify()).status).toBe(200);
    expect((await notify()).body).toMatchObject({ statusCode: 429, error: 'TOO_MANY_REQUESTS' });
  });
});
