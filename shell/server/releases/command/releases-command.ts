import { existsSync, readdirSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract/release';
import { CommandError, createProgram, operatorName, processTerminal, type Terminal, UsageError } from '@daybook/server';
import { readSignIns } from '../../operator/sign-ins.ts';
import type { ReleaseChange } from '../log/remote-state.ts';
import { logWordsSchema, parsePercent, type Reason, ReleaseManagement } from '../release-management.ts';
import { overviewOf } from '../release-overview.ts';
import { describeChange, describeList, describeLog, describeRemote, describeSignIns } from './describe.ts';

/**
 * Opens `RELEASES_FOLDER` with the remotes of `REMOTES`, like the shell server, and all other remotes that have releases
 * in the folder.
 */
export function openReleasesFolder(variables: Readonly<Record<string, string | undefined>>): ReleaseManagement {
  const folder = variables.RELEASES_FOLDER || '.data/releases';
  if (!existsSync(folder)) {
    throw new Error(
      `There is no releases folder at ${folder}. Start the site once, or set RELEASES_FOLDER to its server's releases folder.`,
    );
  }
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && remoteNameSchema.safeParse(entry.name).success)
    .map(({ name }) => name);
  const remotes = variables.REMOTES
    ? variables.REMOTES.split(',').map((item) => item.split('=')[0]?.trim() ?? '')
    : found;
  const others = found.filter((name) => !remotes.includes(name));
  return new ReleaseManagement(folder, remotes, (problem) => console.error(problem), others);
}

/** Returns a parser for an option that is written to the log. */
const wordsForLog = (what: string) => (value: string) => {
  const parsed = logWordsSchema(what).safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(({ message }) => message).join(' '));
};

/** Reads what a command prints: as JSON for programs, and as lines for people. */
type Read = (
  management: ReleaseManagement,
  remote: string | undefined,
) => { readonly json: unknown; readonly lines: readonly string[] };
type Change = (management: ReleaseManagement, words: readonly string[], reason: Reason) => ReleaseChange;

/**
 * Creates the `releases` command, which works on a releases folder with or without running servers.
 *
 * @param open opens the folder
 * @param name how it is called, for its help and the commands that it suggests
 */
export function createReleasesProgram(
  open: () => ReleaseManagement,
  terminal: Terminal = processTerminal,
  name = 'releases',
) {
  const program = createProgram(name, 'Shows and changes the releases that visitors get of each remote.', terminal);
  const print = (lines: readonly string[]) => terminal.output.write(`${lines.join('\n')}\n`);

  /** Runs an action on the folder; errors of the folder and rejected changes are printed without a stack. */
  function onFolder(action: (management: ReleaseManagement) => void): void {
    try {
      action(open());
    } catch (error) {
      throw new CommandError((error as Error).message, { cause: error });
    }
  }

  function addReading(usage: string, description: string, read: Read): void {
    const command = program.command(usage).description(description).option('--json', 'print JSON, for programs');
    command.action(() =>
      onFolder((management) => {
        const { json, lines } = read(management, command.args[0]);
        print(command.opts().json ? [JSON.stringify(json, null, 2)] : lines);
      }),
    );
  }

  function addChange(usage: string, description: string, change: Change) {
    const command = program
      .command(usage)
      .description(description)
      .option('--why <text>', 'the reason, for the log', wordsForLog('a reason'))
      .option(
        '--by <name>',
        'operator of the change, for the log; default: OPERATOR, or your user name',
        wordsForLog('a name'),
      );
    return command.action(() => {
      const { by, why } = command.opts<{ by?: string; why?: string }>();
      const operator = by || wordsForLog('a name')(operatorName(process.env));
      if (!operator) throw new UsageError('Name the operator of this change, for the log: --by <name>');
      return onFolder((management) => {
        const made = change(management, command.args, { by: operator, why });
        print(describeChange(made, overviewOf(made.remote, management), name));
      });
    });
  }

  addReading('list', 'list all remotes: active releases and problems', (management) => {
    const { remotes, others, log } = management;
    const overviews = [...remotes, ...others].map((remote) => overviewOf(remote, management));
    return {
      json: { remotes: overviews, problems: log.problems() },
      lines: describeList(overviews, log.problems(), others),
    };
  });
  addReading('show <remote>', 'show stored releases and last changes of a remote', (management, remote = '') => {
    management.checkKnown(remote);
    const overview = overviewOf(remote, management);
    const changes = changesOf(management, remote).slice(-10);
    return { json: { ...overview, changes }, lines: describeRemote(overview, changes) };
  });
  addReading('log [remote]', 'list all changes: time, action, releases, operator and reason', (management, remote) => {
    const changes = changesOf(management, remote);
    return { json: changes, lines: describeLog(changes) };
  });
  addReading('sign-ins', 'list who signed in and out at /_releases', ({ store }) => {
    const signIns = readSignIns(store.folder);
    return { json: signIns, lines: describeSignIns(signIns) };
  });
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

/** Returns the changes of a remote, or of all remotes, the oldest first. */
function changesOf(management: ReleaseManagement, remote: string | undefined): readonly ReleaseChange[] {
  const changes = management.log.changes();
  if (remote === undefined) return changes;
  management.checkKnown(remote);
  return changes.filter((each) => each.remote === remote);
}
