import {
  CommandError,
  commaSeparated,
  createProgram,
  escapeControls,
  operatorName,
  printableLine,
  processTerminal,
  readSecretFiles,
  type Terminal,
  UsageError,
} from '@daybook/server';
import { logWordsSchema, parsePercent, type Reason, ReleaseManagement } from '../management/release-management.ts';
import { overviewOf } from '../management/release-overview.ts';
import { PostgresRegistry } from '../registry/postgres-registry.ts';
import { RegistryCopy } from '../registry/registry-copy.ts';
import type { SiteRegistry } from '../registry/release-registry.ts';
import type { ReleaseChange } from '../state/remote-state.ts';
import {
  describeChange,
  describeList,
  describeLog,
  describePreview,
  describeRemote,
  describeSignIns,
} from './describe.ts';

/** What the command works on. */
interface ReleasesContext {
  readonly management: ReleaseManagement;
  readonly copy: RegistryCopy;
  readonly registry: SiteRegistry;
}

/**
 * Opens a registry with the remotes of `REMOTES`, like the shell server. What is stored of others, which were removed or
 * are not added yet, stays as it is.
 *
 * @param registry by default, that of `RELEASES_DATABASE_URL`
 */
export async function openReleases(
  variables: Readonly<Record<string, string | undefined>>,
  registry: SiteRegistry = openRegistry(variables),
): Promise<ReleasesContext> {
  const copy = new RegistryCopy(registry, undefined);
  try {
    if (!variables.REMOTES)
      throw new Error('Set REMOTES to that of the shell servers: it names the remotes of the site.');
    await copy.refresh();
  } catch (error) {
    await registry.close();
    throw error;
  }
  const remotes = commaSeparated(variables.REMOTES).map((item) => item.split('=', 1).join());
  return { management: new ReleaseManagement(remotes, copy), copy, registry };
}

function openRegistry(environment: Readonly<Record<string, string | undefined>>): SiteRegistry {
  const name = 'RELEASES_DATABASE_URL';
  const { variables, problems } = readSecretFiles(environment, [name]);
  const [problem] = problems;
  if (problem) throw new Error(`${problem.name} ${problem.message}.`);
  const address = variables[name];
  if (address) return new PostgresRegistry(address);
  throw new Error(
    `There is no release registry to work on. Start the site, or set ${name} to that of its shell servers.`,
  );
}

/** Returns a parser for an option that is written to the log. */
const wordsForLog = (what: string) => (value: string) => {
  const parsed = logWordsSchema(what).safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(({ message }) => message).join(' '));
};

type Program = ReturnType<typeof createProgram>;

/** Reads what a command prints: as JSON for programs, and as lines for people. */
type Read = (
  context: ReleasesContext,
  remote: string | undefined,
) => Promise<{ readonly json: unknown; readonly lines: readonly string[] }>;
type Change = (management: ReleaseManagement, words: readonly string[], reason: Reason) => Promise<ReleaseChange>;

/**
 * Creates the `releases` command, which works on a registry with or without running servers.
 *
 * @param open opens the registry; each command closes it
 * @param name how it is called, for its help and the commands that it suggests
 */
export function createReleasesProgram(
  open: () => Promise<ReleasesContext>,
  terminal: Terminal = processTerminal,
  name = 'releases',
) {
  const program = createProgram(name, 'Shows and changes the releases that visitors get of each remote.', terminal);
  const print = (text: string) => terminal.output.write(`${text}\n`);
  const printLines = (lines: readonly string[]) => print(lines.map(printableLine).join('\n'));

  /** Runs an action on the registry; its errors and rejected changes are printed without a stack. */
  async function onReleases(action: (context: ReleasesContext) => Promise<void>): Promise<void> {
    try {
      const context = await open();
      await action(context).finally(() => context.registry.close());
    } catch (error) {
      throw new CommandError((error as Error).message, { cause: error });
    }
  }

  function addReading(usage: string, description: string, read: Read): void {
    const command = program.command(usage).description(description).option('--json', 'print JSON, for programs');
    command.action(() =>
      onReleases(async (context) => {
        const { json, lines } = await read(context, command.args[0]);
        if (command.opts().json) print(escapeControls(JSON.stringify(json, null, 2)));
        else printLines(lines);
      }),
    );
  }

  const addReason = (command: Program) =>
    command
      .option('--why <text>', 'the reason, for the log', wordsForLog('a reason'))
      .option(
        '--by <name>',
        'operator of the change, for the log; default: OPERATOR, or your user name',
        wordsForLog('a name'),
      );

  /** Makes a change by the operator of a command, and prints it. */
  function changeReleases(command: Program, change: Change): Promise<void> {
    const { by, why } = command.opts<{ by?: string; why?: string }>();
    const operator = by || wordsForLog('a name')(operatorName(process.env));
    if (!operator) throw new UsageError('Name the operator of this change, for the log: --by <name>');
    return onReleases(async ({ management, copy }) => {
      const made = await change(management, command.args, { by: operator, why });
      printLines(describeChange(made, overviewOf(made.remote, copy), name));
    });
  }

  function addChange(usage: string, description: string, change: Change) {
    const command = addReason(program.command(usage).description(description));
    return command.action(() => changeReleases(command, change));
  }

  addReading('list', 'list all remotes: active releases and problems', async ({ management, copy }) => {
    const overviews = management.remotes.map((remote) => overviewOf(remote, copy));
    return { json: { remotes: overviews }, lines: describeList(overviews, name) };
  });
  addReading(
    'show <remote>',
    'show stored releases and last changes of a remote',
    async ({ management, copy }, remote = '') => {
      management.checkKnown(remote);
      const overview = overviewOf(remote, copy);
      const changes = copy.changes(remote).slice(-10);
      return { json: { ...overview, changes }, lines: describeRemote(overview, changes) };
    },
  );
  addReading(
    'log [remote]',
    'list all changes: time, action, releases, operator and reason',
    async ({ management, copy }, remote) => {
      if (remote !== undefined) management.checkKnown(remote);
      const changes = copy.changes(remote);
      return { json: changes, lines: describeLog(changes) };
    },
  );
  addReading('sign-ins', 'list who signed in and out at /_releases', async ({ registry }) => {
    const signIns = await registry.signIns();
    return { json: signIns, lines: describeSignIns(signIns) };
  });
  addChange(
    'activate <remote> <version>',
    'make exactly this stored release active for all visitors',
    (management, [remote = '', version = ''], reason) => management.replace(remote, version, reason),
  );
  const preview = addReason(program.command('preview <remote>'))
    .description('show the preview of a remote, or end it')
    .option('--end', 'end it: its link shows nothing any more');
  preview.action((remote: string) =>
    preview.opts().end
      ? changeReleases(preview, (management, _words, reason) => management.endPreview(remote, reason))
      : onReleases(async ({ management, copy }) => {
          management.checkKnown(remote);
          printLines(describePreview(overviewOf(remote, copy), name));
        }),
  );
  addChange(
    'rollback <remote> [version]',
    'roll the active release (or the canary) back; of a pinned remote, to a named version',
    (management, [remote = '', version], reason) => management.rollback(remote, reason, version),
  );
  addChange(
    'pin <remote> <version>',
    'activate a stored release and hold it',
    (management, [remote = '', version = ''], reason) => management.pin(remote, version, reason),
  );
  addChange('unpin <remote>', 'let newer releases follow again', (management, [remote = ''], reason) =>
    management.unpin(remote, reason),
  );
  addChange(
    'canary <remote> <version> <percent>',
    'give a stored release to some visitors; 100 promotes it, 0 rolls it back',
    (management, [remote = '', version = '', percent = ''], reason) =>
      management.canary(remote, version, parsePercent(percent), reason),
  );
  return program;
}
