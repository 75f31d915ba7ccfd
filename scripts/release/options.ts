import { resolveSigning, type SigningOptions } from '@daybook/releases/publish';
import { remotes } from '@daybook/runner/workspaces';
import { UsageError } from '@daybook/server/command-line';
import { chosenRemote } from '../chosen-remote.ts';

/** Options of `npm run release`, as commander parses them. */
export interface ParsedOptions extends SigningOptions {
  readonly site?: string;
  readonly dryRun?: boolean;
  readonly preview?: boolean;
  readonly percent?: string;
  readonly showKey?: boolean;
  readonly typo?: boolean;
  readonly dateIsRight?: boolean;
  readonly replaceNewer?: string;
}

/** In characters, as the log takes it. */
const maxReason = 200;

/** Options that npm stores in variables such as `npm_config_key_file` if there is no `--` before them. */
const consumedByNpm = [
  'site',
  'preview',
  'percent',
  'key-file',
  'sign-with',
  'public-key',
  'show-key',
  'typo',
  'date-is-right',
  'replace-newer',
];

/**
 * Completes the options from npm's environment: the remote, the calling folder, and options that npm consumed. A
 * consumed `--dry-run` must not turn a dry run into a release.
 *
 * @param named the remote that the command names
 * @param local the site of `npm start`, which is the default; `undefined` if none runs
 * @throws UsageError with the correct command
 */
export function resolveOptions(
  named: string | undefined,
  {
    site,
    percent,
    dryRun = false,
    preview = false,
    showKey = false,
    typo = false,
    dateIsRight = false,
    replaceNewer,
    ...signing
  }: ParsedOptions,
  environment: Readonly<NodeJS.ProcessEnv>,
  local?: { readonly url: string; readonly publicUrl: string },
) {
  const remote = chosenRemote(named, environment);
  if (remote === undefined)
    throw new UsageError(`A release is of one remote: npm run release <remote>, with ${remotes.join(', ')}.`);
  for (const option of consumedByNpm)
    if (environment[`npm_config_${option.replaceAll('-', '_')}`] !== undefined)
      throw new UsageError(`npm consumed --${option}; write: npm run release ${remote} -- --${option} …`);
  if (site !== undefined && !/^https?:$/.test(URL.parse(site)?.protocol ?? ''))
    throw new UsageError('--site needs a URL such as https://daybook.example.');
  if (percent !== undefined && preview)
    throw new UsageError('A release is a canary or a preview: --percent or --preview.');
  if (replaceNewer !== undefined && (replaceNewer.trim() === '' || replaceNewer.length > maxReason))
    throw new UsageError(`--replace-newer needs the reason, for the log, in at most ${maxReason} characters.`);
  const isDryRun = dryRun || environment.npm_config_dry_run === 'true';
  const chosen = site === undefined ? local?.url : new URL(site).origin;
  if (chosen === undefined && !isDryRun && !showKey)
    throw new UsageError(
      `No site runs on this machine. Start it with npm start, or name another one: npm run release ${remote} -- --site https://daybook.example`,
    );
  return {
    remote,
    site: chosen,
    publicOrigin: site === undefined && local ? new URL(local.publicUrl).origin : chosen,
    /** The end of commands about the site. */
    at: site === undefined ? '' : ` --site ${chosen}`,
    dryRun: isDryRun,
    preview,
    percent,
    showKey,
    dates: { isTypo: typo, isDateRight: dateIsRight },
    replaceNewer,
    signing: resolveSigning(signing, environment, environment.INIT_CWD ?? process.cwd()),
  };
}
