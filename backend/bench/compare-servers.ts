import type { Comparison } from '../../bench/comparison.ts';
import type { Report } from '../../bench/report/publish.ts';
import { ratioPicture } from '../../bench/report/ratio-picture.ts';
import { comparisonTable } from '../../bench/report/table.ts';
import { interleave } from '../../bench/rounds.ts';
import { startContestant } from './contestants.ts';
import { MeasuredLoad, signupFigures } from './measured-load.ts';
import type { BenchPart, PartContext } from './parts.ts';

const servers = [
  { name: 'backend', server: 'backend' },
  { name: 'bare', server: 'bare' },
  { name: 'naive', server: 'naive' },
] as const;

/** The backend against a bare handler and a naive one, at several numbers of connections. */
export const compareServers: BenchPart = async ({ postgres, folder, effort, report }: PartContext): Promise<Report> => {
  const contestants = [];
  for (const server of servers) contestants.push(await startContestant({ ...server, postgres, folder }));
  const load = new MeasuredLoad(postgres);
  report('Warming up …');
  for (const contestant of contestants) {
    await load.measure(contestant, { connections: 16, seconds: effort.warmUpSeconds });
  }
  const cases: Comparison['cases'][number][] = [];
  for (const connections of effort.connections) {
    const name = connections === 1 ? '1 connection' : `${connections} connections`;
    const rounds = await interleave(
      contestants,
      effort.rounds,
      (contestant) => load.measure(contestant, { connections, seconds: effort.seconds }),
      (done) => report(`${name}: round ${done} of ${effort.rounds}`),
    );
    cases.push({ name, rounds });
  }
  const comparison: Comparison = {
    title: 'Signups: ratio to a bare Fastify + pg handler',
    contestants: servers.map(({ name }) => name),
    baseline: 'bare',
    figures: signupFigures,
    cases,
  };
  const total = await load.confirm();
  return {
    name: 'api',
    text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds of ${effort.seconds} s, in brackets the ratio to the bare handler. All ${total} acknowledged signups were in the database.`,
    caption: 'The same figures as ratios to the bare handler, with the lowest and highest of all rounds',
    picture: ratioPicture(comparison),
    data: { effort, comparison },
  };
};
