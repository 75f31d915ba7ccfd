import pg from 'pg';
import type { Comparison } from '../../bench/comparison.ts';
import { ratioPicture } from '../../bench/report/ratio-picture.ts';
import { comparisonTable } from '../../bench/report/table.ts';
import { interleave } from '../../bench/rounds.ts';
import { type Contestant, startContestant } from './contestants.ts';
import { MeasuredLoad, signupFigures } from './measured-load.ts';
import type { BenchPart } from './parts.ts';

const connections = 32;

/**
 * So much longer than usual is warmed up: after a checkpoint, PostgreSQL writes each page that changes as a whole, once,
 * and signups change pages all over a large index. A checkpoint is every five minutes, a round a few seconds.
 */
const warmUpFactor = 4;

/** Signups of the last 90 days, each with an entry and an event that was delivered. */
async function fill({ databaseUrl }: Contestant, subscribers: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const time = "now() - random() * interval '90 days'";
  await client.query(
    `INSERT INTO subscriber (email, created_at)
     SELECT 'subscriber' || n || '@' || md5(n::text) || '.example', ${time} FROM generate_series(1, $1::integer) n`,
    [subscribers],
  );
  await client.query(`
    INSERT INTO waitlist_entry (id, subscriber_id, created_at)
    SELECT 1 + (random() * 9e13)::bigint, id, created_at FROM subscriber ON CONFLICT DO NOTHING
  `);
  await client.query(`
    INSERT INTO outbox_event (id, type, data, created_at, delivered_at)
    SELECT uuidv7(created_at - now()), 'signup.created', jsonb_build_object('entryId', id), created_at, created_at
    FROM waitlist_entry
  `);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

/** Two backends: one on a database with very many subscribers, one on an empty one. */
export const compareFill: BenchPart = async ({ postgres, folder, effort, report }) => {
  const full = await startContestant({ name: 'full', server: 'backend', postgres, folder });
  const empty = await startContestant({ name: 'empty', server: 'backend', postgres, folder });
  report(`Storing ${effort.subscribers} subscribers …`);
  await fill(full, effort.subscribers);
  const load = new MeasuredLoad(postgres);
  report('Warming up …');
  for (const contestant of [full, empty])
    await load.measure(contestant, { connections, seconds: effort.warmUpSeconds * warmUpFactor });
  const rounds = await interleave(
    [full, empty],
    effort.rounds,
    (contestant) => load.measure(contestant, { connections, seconds: effort.seconds }),
    (done) => report(`round ${done} of ${effort.rounds}`),
  );
  await load.confirm();
  const comparison: Comparison = {
    title: `Signups with ${effort.subscribers} subscribers stored: ratio to an empty database`,
    contestants: ['full', 'empty'],
    baseline: 'empty',
    figures: signupFigures.map((figure) =>
      figure.key === 'perSecond' ? { ...figure, aim: { atLeast: 0.9 } } : figure,
    ),
    cases: [{ name: `${connections} connections`, rounds }],
  };
  return {
    name: 'api-fill',
    text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds of ${effort.seconds} s, in brackets the ratio to the empty database; ${effort.subscribers} subscribers, each with an entry and an event, were in the full one.`,
    caption: 'The same figures as ratios to an empty database',
    picture: ratioPicture(comparison),
    data: { effort, comparison },
  };
};
