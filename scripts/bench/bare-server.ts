import { randomInt } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

// The baseline of the backend: stores the same rows in one prepared statement, without rate limits, cookie, log or metrics.

const { DATABASE_URL, DATABASE_POOL_SIZE, PORT } = process.env;

const storeSignup = {
  name: 'store-signup',
  text: `
    WITH known AS (
      INSERT INTO subscriber (email) VALUES ($1)
      ON CONFLICT (lower(email COLLATE "C")) DO UPDATE SET unsubscribed_at = NULL
      RETURNING id
    ), entry AS (
      INSERT INTO waitlist_entry (id, subscriber_id) SELECT $2, id FROM known
      RETURNING id, created_at
    )
    INSERT INTO outbox_event (type, data)
    SELECT 'signup.created', jsonb_build_object('entryId', id, 'email', $1::text, 'signedUpAt', created_at) FROM entry
  `,
};

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

server.get('/healthz', () => 'It runs.');

server.post('/api/waitlist', async (request, reply) => {
  const { email } = request.body as { email?: unknown };
  if (typeof email !== 'string' || !email.includes('@')) return reply.code(400).send({ message: 'No address.' });
  const id = randomInt(1, 2 ** 48 - 1);
  await pool.query({ ...storeSignup, values: [email, id] });
  return reply.code(201).send({ entry: { id, email } });
});

await server.listen({ port: Number(PORT), host: '127.0.0.1' });
