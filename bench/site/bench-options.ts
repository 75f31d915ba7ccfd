import { parseArgs } from 'node:util';
import type { SiteEffort } from './parts.ts';

/** The parts of the bench, in their order. */
export const partNames = ['pages', 'navigation', 'server', 'growth', 'release', 'api', 'start'] as const;
export type PartName = (typeof partNames)[number];

export interface BenchOptions {
  readonly parts: readonly PartName[];
  readonly effort: SiteEffort;
  /** Whether it is only tried whether the bench works. */
  readonly quick: boolean;
  /** The folder that results are written to, where it is not the usual one. */
  readonly to?: string;
}

const usual = { rounds: 7, loadSeconds: 2, remotes: [4, 10, 40] } as const;
/** Shows that it works, and nothing about speed. */
const quickest = { ...usual, rounds: 1, loadSeconds: 1, remotes: [4, 6] } as const;

const usage = `Write one of:

  npm run bench                                all of it
  npm run bench -- pages server                some parts: ${partNames.join(', ')}
  npm run bench -- pages --routes /,/terms     some pages
  npm run bench -- --quick                     tries whether it works; the figures say nothing
  npm run bench -- --to <folder>               results to another folder than docs/performance`;

const isPart = (name: string): name is PartName => (partNames as readonly string[]).includes(name);

/** The parameters are not what the command knows; the message says what to write. */
export class BenchUsageError extends Error {
  override readonly name = 'BenchUsageError';

  constructor(problem: string) {
    super(`${problem} ${usage}`);
  }
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        routes: { type: 'string' },
        quick: { type: 'boolean', default: false },
        to: { type: 'string' },
      },
    });
  } catch (error) {
    const [problem] = (error as Error).message.split('. ');
    throw new BenchUsageError(`${problem}.`);
  }
}

/**
 * What `npm run bench` was asked for.
 *
 * @param parameters what stands behind the `--`
 * @throws BenchUsageError
 */
export function parseBenchOptions(parameters: readonly string[]): BenchOptions {
  const { values, positionals } = parse(parameters);
  const unknown = positionals.find((name) => !isPart(name));
  if (unknown !== undefined) throw new BenchUsageError(`There is no part “${unknown}”.`);
  const parts = partNames.filter((name) => positionals.length === 0 || positionals.includes(name));
  const { routes, quick, to } = values;
  if (routes !== undefined && !parts.includes('pages')) throw new BenchUsageError('--routes is for the part pages.');
  return {
    parts,
    effort: { ...(quick ? quickest : usual), ...(routes === undefined ? {} : { routes: routes.split(',') }) },
    quick,
    ...(to === undefined ? {} : { to }),
  };
}
