import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from '../run-command.ts';

export interface ReleaseOptions {
  readonly remote: string;
  /** The folder to publish to, where it is not the remote's own `dist`. */
  readonly to?: string;
  /** The address of the site that is watched until it gives the release to visitors; none where none is known. */
  readonly site?: string;
  /** Everything but the publishing. */
  readonly dryRun: boolean;
}

const usage = (remote: string) => `
  npm run release -w ${remote}                      releases ${remote}
  npm run release -w ${remote} -- --dry-run         tries everything, publishes nothing
  npm run release -w ${remote} -- --to <folder>     publishes to another folder than ${remote}/dist
  npm run release -w ${remote} -- --site <address>  watches this site take it over, not the one of npm start`;

function parse(parameters: readonly string[], remote: string) {
  try {
    const options = {
      to: { type: 'string' },
      site: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...parameters], options }).values;
  } catch (error) {
    const [problem] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new CommandError(`${problem}. Write one of:\n${usage(remote)}`);
  }
}

/** Where npm leaves an option that it took for its own; up to npm 11, `--to` is short for one that it has. */
const takenByNpm = [
  ['npm_config_to', 'to'],
  ['npm_config_token_description', 'to'],
  ['npm_config_site', 'site'],
] as const;

/** Where `npm start` serves the site; it looks at the folder that a release is published to by default. */
const localSite = (port: string | undefined) => `http://localhost:${port || 8080}`;

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
  const { to, site = to === undefined ? localSite(environment.PORT) : undefined, ...rest } = parse(parameters, remote);
  for (const [variable, option] of takenByNpm) {
    if (environment[variable] !== undefined)
      throw new CommandError(`npm took --${option} for itself; write a -- before it:\n${usage(remote)}`);
  }
  if (to === '') throw new CommandError(`--to needs a folder:\n${usage(remote)}`);
  if (site !== undefined && !/^https?:$/.test(URL.parse(site)?.protocol ?? ''))
    throw new CommandError(`--site needs an address such as https://daybook.example:\n${usage(remote)}`);
  const dryRun = rest['dry-run'];
  return {
    remote,
    ...(site === undefined ? {} : { site }),
    dryRun: dryRun || environment.npm_config_dry_run === 'true',
    ...(to === undefined ? {} : { to: path.resolve(environment.INIT_CWD ?? process.cwd(), to) }),
  };
}
