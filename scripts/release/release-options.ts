import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from '../run-command.ts';

export interface ReleaseOptions {
  readonly remote: string;
  /** The folder to publish to, where it is not the remote's own `dist`. */
  readonly to?: string;
  /** Everything but the publishing. */
  readonly dryRun: boolean;
}

const usage = (remote: string) => `
  npm run release -w ${remote}                      releases ${remote}
  npm run release -w ${remote} -- --dry-run         tries everything, publishes nothing
  npm run release -w ${remote} -- --to <folder>     publishes to another folder than ${remote}/dist`;

function parse(parameters: readonly string[], remote: string) {
  try {
    const options = { to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } as const;
    return parseArgs({ args: [...parameters], options }).values;
  } catch (error) {
    const [problem] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new CommandError(`${problem}. Write one of:\n${usage(remote)}`);
  }
}

/**
 * What `npm run release -w <remote>` was asked for.
 *
 * npm takes options that come without a `--` before them for its own. One of them must not make a release of what
 * was meant as a trial, so they are looked for where npm leaves them, in the environment.
 *
 * @param parameters what stands behind the `--`
 * @param environment as npm sets it: whose script runs, and where it was called
 * @param remotes the names there are
 * @throws CommandError that says what to write
 */
export function parseReleaseOptions(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  remotes: readonly string[],
): ReleaseOptions {
  const remote = environment.npm_package_name;
  if (!remote || !remotes.includes(remote)) {
    throw new CommandError(`A release is of one remote: npm run release -w <remote>, with ${remotes.join(', ')}.`);
  }
  const { to, 'dry-run': dryRun } = parse(parameters, remote);
  if (environment.npm_config_to !== undefined) {
    throw new CommandError(`npm took --to for itself; write a -- before it:\n${usage(remote)}`);
  }
  if (to === '') throw new CommandError(`--to needs a folder:\n${usage(remote)}`);
  return {
    remote,
    dryRun: dryRun || environment.npm_config_dry_run === 'true',
    ...(to === undefined ? {} : { to: path.resolve(environment.INIT_CWD ?? process.cwd(), to) }),
  };
}
