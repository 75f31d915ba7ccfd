import path from 'node:path';
import { publicationSchema } from '@daybook/contract/release';
import { UsageError } from '@daybook/server/command-line';
import { remotes } from '@daybook/testing/workspaces';
import { chosenRemote } from '../chosen-remote.ts';

export interface ParsedOptions {
  readonly site?: string;
  readonly dryRun?: boolean;
  readonly keep?: boolean;
  readonly percent?: string;
  readonly replace?: string;
  readonly tokenFile?: string;
}

/** Options that npm stores in variables such as `npm_config_token_file` if there is no `--` before them. */
const consumedByNpm = ['site', 'keep', 'percent', 'replace', 'token-file', 'dry-run'];

/** Completes the options from npm's environment, and with the site of `npm start`. */
export function resolveOptions(
  named: string | undefined,
  { site, percent, dryRun = false, keep = false, replace, tokenFile }: ParsedOptions,
  environment: Readonly<NodeJS.ProcessEnv>,
  local?: { readonly url: string },
) {
  const remote = chosenRemote(named, environment);
  if (remote === undefined)
    throw new UsageError(`A release is of one remote: npm run release <remote>, with ${remotes.join(', ')}.`);
  for (const option of consumedByNpm)
    if (environment[`npm_config_${option.replaceAll('-', '_')}`] !== undefined)
      throw new UsageError(`npm consumed --${option}; write: npm run release ${remote} -- --${option} …`);
  if (site !== undefined && !/^https?:$/.test(URL.parse(site)?.protocol ?? ''))
    throw new UsageError('--site needs a URL such as https://daybook.example.');
  if (percent !== undefined && keep) throw new UsageError('A release is a canary or only kept: --percent or --keep.');
  const { data: publication, error } = publicationSchema.safeParse({ percent, why: replace });
  const [issue] = error?.issues ?? [];
  if (issue) throw new UsageError(`--${issue.path[0] === 'why' ? 'replace' : 'percent'}: ${issue.message}.`);
  if (replace?.trim() === '') throw new UsageError('--replace needs the reason, for the log.');
  const chosen = site === undefined ? local?.url : new URL(site).origin;
  if (chosen === undefined && !dryRun)
    throw new UsageError(
      `No site runs on this machine. Start it with npm start, or name another one: npm run release ${remote} -- --site https://daybook.example`,
    );
  return {
    remote,
    site: chosen,
    isLocal: site === undefined,
    /** The end of commands about the site. */
    at: `${site ? ` --site ${chosen}` : ''}${tokenFile ? ` --token-file ${tokenFile}` : ''}`,
    dryRun,
    keep,
    percent: publication?.percent,
    replace: publication?.why,
    tokenFile: tokenFile && path.resolve(environment.INIT_CWD ?? '', tokenFile),
  };
}
