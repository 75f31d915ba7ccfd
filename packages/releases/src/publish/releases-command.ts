import path from 'node:path';
import { escapeControls, printableLine, readSecretFiles } from '@daybook/server';
import {
  CommandError,
  createProgram,
  operatorName,
  processTerminal,
  type Terminal,
  UsageError,
} from '@daybook/server/command-line';
import { logWordsSchema, parsePercent } from '../deployments/deployment-request.ts';
import type { RemoteOverview } from '../deployments/release-overview.ts';
import type { Audience, Deployment } from '../registry/remote-state.ts';
import {
  renderDeployment,
  renderList,
  renderLog,
  renderRemote,
  renderSignIns,
  type SignIn,
} from './releases-output.ts';
import { openSigner, resolveSigning } from './signing.ts';
import { type Credentials, SiteClient } from './site-client.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Program = ReturnType<typeof createProgram>;

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

/** What a site responds to a deployment. */
interface Deployed {
  readonly deployment: Deployment;
  readonly overview: RemoteOverview;
  readonly replaced?: string;
}

interface SiteOptions {
  readonly site?: string;
  readonly keyFile?: string;
}

/** The site on this machine, such as in the container of a shell server. */
const localSite = ({ PORT = '8080' }: Variables) => `http://localhost:${PORT}`;

/** Returns who asks: an operator by `OPERATOR_TOKEN`, or else the remote's team by its key. */
function credentialsOf(remote: string, { keyFile }: SiteOptions, environment: Variables): Credentials {
  const { variables, problems } = readSecretFiles(environment, ['OPERATOR_TOKEN']);
  const [problem] = problems;
  if (problem) throw new CommandError(`${problem.name} ${problem.message}.`);
  const { OPERATOR_TOKEN: token, RELEASE_KEYS_FOLDER: folder = '.' } = variables;
  if (token && keyFile === undefined) return { token };
  if (!remote) throw new UsageError('This is for operators: set OPERATOR_TOKEN, or name a remote.');
  const signing = resolveSigning(keyFile === undefined ? {} : { keyFile }, { ...environment }, process.cwd());
  return { signer: openSigner(signing, path.join(folder, `${remote}.pem`), () => undefined, false) };
}

/** What a command reads of a site, and how it prints it for people. */
interface Reading<Json> {
  readonly what: (remote: string) => string;
  readonly render: (json: Json) => readonly string[];
}

/**
 * Creates the `releases` command, a client of a site's API: for its operators, and for the teams of its remotes.
 *
 * @param name how it is called, for its help and the commands that it suggests
 */
export function createReleasesProgram(
  environment: Variables = process.env,
  terminal: Terminal = processTerminal,
  name = 'releases',
) {
  const program = createProgram(name, 'Shows and changes the releases that visitors get of each remote.', terminal);
  const print = (text: string) => terminal.output.write(`${text}\n`);
  const printLines = (lines: readonly string[]) => print(lines.map(printableLine).join('\n'));

  const addSite = (command: Program) =>
    command
      .option(
        '--site <url>',
        `the site, asked by OPERATOR_TOKEN or the team's key; SITE_URL, or ${localSite(environment)}`,
      )
      .option('--key-file <file>', "private key of the remote's team; RELEASE_KEY_FILE");

  const openSite = (remote: string, options: SiteOptions) => {
    const site = options.site ?? (environment.SITE_URL || localSite(environment));
    if (!URL.canParse(site)) throw new UsageError('--site needs a URL such as https://daybook.example.');
    // Of the site of this environment, which may have another URL inside of a network.
    const publicUrl = (options.site === undefined && environment.PUBLIC_URL) || site;
    return new SiteClient(site, credentialsOf(remote, options, environment), new URL(publicUrl).origin);
  };

  function addReading<Json>(usage: string, description: string, { what, render }: Reading<Json>): void {
    const command = addSite(program.command(usage).description(description)).option(
      '--json',
      'print JSON, for programs',
    );
    command.action(async () => {
      const [remote = ''] = command.args;
      const options = command.opts<SiteOptions & { json?: boolean }>();
      const json = (await openSite(remote, options).read(what(remote), remote)) as Json;
      if (options.json) print(escapeControls(JSON.stringify(json, null, 2)));
      else printLines(render(json));
    });
  }

  /** Adds a command that makes a deployment, and prints what visitors get now. */
  function addDeployment(
    usage: string,
    description: string,
    fieldsOf: (words: readonly (string | undefined)[], options: { readonly percent?: string }) => object,
  ): Program {
    const command = addSite(program.command(usage).description(description))
      .option('--why <text>', 'the reason, for the log', wordsForLog('a reason'))
      .option(
        '--by <name>',
        'operator of the deployment, for the log, if the token has no name; default: OPERATOR, or your user name',
        wordsForLog('a name'),
      );
    return command.action(async () => {
      const options = command.opts<SiteOptions & { by?: string; why?: string; percent?: string }>();
      const [remote = '', ...words] = command.args;
      const by = options.by || wordsForLog('a name')(operatorName({ ...environment })) || undefined;
      const fields = { action: command.name(), ...fieldsOf(words, options), why: options.why, by };
      const made = await openSite(remote, options).deploy(remote, fields);
      const { deployment, overview, replaced } = made as unknown as Deployed;
      const at = options.site ? ` --site ${options.site}` : '';
      printLines(renderDeployment(deployment, overview, replaced, (words) => `${name} ${words}${at}`));
    });
  }

  addReading<{ readonly remotes: readonly RemoteOverview[] }>(
    'list',
    'list all remotes: what visitors get, and problems',
    {
      what: () => '',
      render: ({ remotes }) => renderList(remotes),
    },
  );
  addReading<RemoteOverview & { readonly deployments: readonly Deployment[] }>(
    'show <remote>',
    'show stored releases and last deployments of a remote',
    { what: (remote) => remote, render: (overview) => renderRemote(overview, overview.deployments) },
  );
  addReading<readonly Deployment[]>(
    'log [remote]',
    'list all deployments: time, action, release, operator and reason',
    {
      what: (remote) => (remote ? `${remote}/log` : 'log'),
      render: renderLog,
    },
  );
  addReading<readonly SignIn[]>('sign-ins', 'list who signed in and out at /_releases', {
    what: () => 'sign-ins',
    render: renderSignIns,
  });
  addDeployment('activate <remote> <version>', 'give exactly this stored release to all visitors', ([version]) => ({
    version,
  }));
  addDeployment(
    'rollback <remote> [version]',
    'activate the release before the active one; ends canary and preview',
    ([version]) => ({ version }),
  );
  addDeployment(
    'offer <remote> <version>',
    'give a stored release to a share of the visitors, a canary',
    ([version], { percent = '' }) => ({ version, percent: parsePercent(percent) }),
  ).requiredOption('--percent <number>', 'share of visitors, 1 to 99');
  addDeployment(
    'end <remote> [canary|preview]',
    'end the canary or the preview: its visitors get the active release again',
    ([audience]) => ({ audience: parseAudience(audience) }),
  );
  addDeployment('hold <remote>', 'store new releases and do not activate them, until it is lifted', () => ({}));
  addDeployment('lift <remote>', 'let new releases become active again', () => ({}));
  return program;
}
