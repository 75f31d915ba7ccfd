import path from 'node:path';
import {
  CommandError,
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
import { overviewOf, type RemoteOverview, replacedBy } from '../management/release-overview.ts';
import { openSigner, resolveSigning } from '../publish/signing.ts';
import { SiteClient } from '../publish/site-client.ts';
import { PostgresRegistry } from '../registry/postgres-registry.ts';
import { RegistryCopy } from '../registry/registry-copy.ts';
import type { SiteRegistry } from '../registry/release-registry.ts';
import { TeamKeys } from '../signature/team-keys.ts';
import type { Audience, Deployment } from '../state/remote-state.ts';
import { describeDeployment, describeList, describeLog, describeRemote, describeSignIns } from './describe.ts';

/** What the command works on. */
interface ReleasesContext {
  readonly management: ReleaseManagement;
  readonly copy: RegistryCopy;
  readonly registry: SiteRegistry;
}

/**
 * Opens a registry with the remotes of `TEAM_KEYS`, like the shell server. What is stored of others, which were removed or
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
    const text = readSecretFiles(variables, ['TEAM_KEYS']).variables.TEAM_KEYS;
    if (!text) throw new Error('Set TEAM_KEYS to that of the shell servers: it names the remotes of the site.');
    await copy.refresh();
    return { management: new ReleaseManagement(new TeamKeys(text), copy), copy, registry };
  } catch (error) {
    await registry.close();
    throw error;
  }
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

/** @throws UsageError for another word */
function parseAudience(word: string | undefined): Audience | undefined {
  if (word === undefined || word === 'canary' || word === 'preview') return word;
  throw new UsageError(`End the canary or the preview, not “${word}”.`);
}

interface DeployedAtSite {
  readonly deployment: Deployment;
  readonly overview: RemoteOverview;
  readonly replaced?: string;
}

type Program = ReturnType<typeof createProgram>;

/** What a command prints: as JSON for programs, and as lines for people. */
interface Reading<Json> {
  readonly read: (context: ReleasesContext, remote: string) => Promise<Json>;
  readonly render: (json: Json) => readonly string[];
  /** What it asks a site for; only on the machine of the registry if absent. */
  readonly asked?: (remote: string) => string;
}

interface SiteOptions {
  readonly site?: string;
  readonly keyFile?: string;
}

/** Returns the API of a site, for the operator of `OPERATOR_TOKEN`, or else for the remote's team. */
function openSite(site: string, remote: string, { keyFile }: SiteOptions): SiteClient {
  const { OPERATOR_TOKEN: token, RELEASE_KEYS_FOLDER: folder = '.' } = process.env;
  if (token) return new SiteClient(site, { token });
  const signing = resolveSigning(keyFile === undefined ? {} : { keyFile }, process.env, process.cwd());
  const signer = openSigner(signing, path.join(folder, `${remote}.pem`), () => undefined, false);
  return new SiteClient(site, { signer });
}
type Deploy = (
  management: ReleaseManagement,
  words: readonly string[],
  reason: Reason,
  options: { readonly percent?: string },
) => Promise<Deployment>;

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

  /** Runs an action on the registry; its errors and rejected deployments are printed without a stack. */
  async function onReleases(action: (context: ReleasesContext) => Promise<void>): Promise<void> {
    try {
      const context = await open();
      await action(context).finally(() => context.registry.close());
    } catch (error) {
      throw new CommandError((error as Error).message, { cause: error });
    }
  }

  const addSite = (command: Program) =>
    command
      .option('--site <address>', "the site, asked by OPERATOR_TOKEN or the team's key; default: the registry")
      .option('--key-file <file>', "private key of the remote's team; RELEASE_KEY_FILE");

  function addReading<Json>(usage: string, description: string, { read, render, asked }: Reading<Json>): void {
    const command = program.command(usage).description(description).option('--json', 'print JSON, for programs');
    if (asked) addSite(command);
    command.action(async () => {
      const [remote = ''] = command.args;
      const options = command.opts<SiteOptions & { json?: boolean }>();
      const show = (json: Json) => {
        if (options.json) print(escapeControls(JSON.stringify(json, null, 2)));
        else printLines(render(json));
      };
      if (!asked || !options.site) return onReleases(async (context) => show(await read(context, remote)));
      show((await openSite(options.site, remote, options).read(asked(remote), remote)) as Json);
    });
  }

  const addReason = (command: Program) =>
    command
      .option('--why <text>', 'the reason, for the log', wordsForLog('a reason'))
      .option(
        '--by <name>',
        'operator of the deployment, for the log; default: OPERATOR, or your user name',
        wordsForLog('a name'),
      );

  /** Adds a command that makes a deployment by its operator or, at a site, its team; and prints it. */
  function addDeployment(usage: string, description: string, deploy: Deploy) {
    const command = addSite(addReason(program.command(usage).description(description)));
    return command.action(async () => {
      const options = command.opts<SiteOptions & { by?: string; why?: string; percent?: string }>();
      const printDone = (made: Deployment, overview: RemoteOverview, replaced?: string): void => {
        const at = options.site ? ` --site ${options.site}` : '';
        printLines(describeDeployment(made, overview, replaced, (words) => `${name} ${words}${at}`));
      };
      if (options.site) {
        const [remote = '', word] = command.args;
        const percent = options.percent === undefined ? undefined : parsePercent(options.percent);
        const of = command.name() === 'end' ? { audience: parseAudience(word) } : { version: word };
        const fields = { action: command.name(), ...of, percent, why: options.why };
        const made = await openSite(options.site, remote, options).deploy(remote, fields);
        const { deployment, overview, replaced } = made as unknown as DeployedAtSite;
        return printDone(deployment, overview, replaced);
      }
      const by = options.by || wordsForLog('a name')(operatorName(process.env));
      if (!by) throw new UsageError('Name the operator, for the log: --by <name>');
      return onReleases(async ({ management, copy }) => {
        const made = await deploy(management, command.args, { by, why: options.why }, options);
        printDone(made, overviewOf(made.remote, copy), replacedBy(made, copy));
      });
    });
  }

  addReading('list', 'list all remotes: what visitors get, and problems', {
    read: async ({ management, copy }) => ({ remotes: management.remotes.map((remote) => overviewOf(remote, copy)) }),
    render: ({ remotes }) => describeList(remotes, name),
    asked: () => '',
  });
  addReading('show <remote>', 'show stored releases and last deployments of a remote', {
    read: async ({ management, copy }, remote) => {
      management.checkKnown(remote);
      return { ...overviewOf(remote, copy), deployments: copy.deployments(remote).slice(-10) };
    },
    render: (overview) => describeRemote(overview, overview.deployments),
    asked: (remote) => remote,
  });
  addReading('log [remote]', 'list all deployments: time, action, release, operator and reason', {
    read: async ({ management, copy }, remote) => {
      if (remote) management.checkKnown(remote);
      return copy.deployments(remote || undefined);
    },
    render: describeLog,
    asked: () => 'log',
  });
  addReading('sign-ins', 'list who signed in and out at /_releases', {
    read: ({ registry }) => registry.signIns(),
    render: describeSignIns,
  });
  addDeployment(
    'activate <remote> <version>',
    'give exactly this stored release to all visitors',
    (management, [remote = '', version = ''], reason) => management.activate(remote, version, reason),
  );
  addDeployment(
    'rollback <remote> [version]',
    'activate the release before the active one; ends canary and preview',
    (management, [remote = '', version], reason) => management.rollback(remote, reason, version),
  );
  addDeployment(
    'offer <remote> <version>',
    'give a stored release to a share of the visitors, a canary',
    (management, [remote = '', version = ''], reason, { percent = '' }) =>
      management.offer(remote, version, { percent: parsePercent(percent) }, reason),
  ).requiredOption('--percent <number>', 'share of visitors, 1 to 99');
  addDeployment(
    'end <remote> [canary|preview]',
    'end the canary or the preview: its visitors get the active release again',
    (management, [remote = '', audience], reason) => management.end(remote, reason, parseAudience(audience)),
  );
  addDeployment(
    'hold <remote>',
    'store new releases and do not activate them, until it is lifted',
    (management, [remote = ''], reason) => management.hold(remote, reason),
  );
  addDeployment('lift <remote>', 'let new releases become active again', (management, [remote = ''], reason) =>
    management.lift(remote, reason),
  );
  return program;
}
