import { type Change, changeSchema, type State } from '@daybook/contract/release';
import { escapeControls, printableLine } from '@daybook/server';
import { CommandError, createProgram, processTerminal, type Terminal, UsageError } from '@daybook/server/command-line';
import { ReleasesClient, SiteError } from './client.ts';
import { activateCommand, liftCommands, listLines, logLines, nextLines, showLines } from './print.ts';
import { readToken } from './token.ts';

type Variables = Readonly<Record<string, string | undefined>>;

interface Options {
  readonly site?: string;
  readonly tokenFile?: string;
  readonly json?: boolean;
  readonly why?: string;
  readonly percent?: string;
}

const shownRows = 10;

function parseChange(change: Record<string, unknown>): Change {
  const { data, error } = changeSchema.safeParse(change);
  if (data) return data;
  const [issue] = error.issues;
  throw new UsageError(`${String(issue?.path[0] ?? 'It')}: ${issue?.message}.`);
}

/** Creates the `releases` command; `name` is how people call it. */
export function createReleasesProgram(
  environment: Variables = process.env,
  terminal: Terminal = processTerminal,
  name = 'releases',
) {
  const program = createProgram(name, 'Shows and changes the releases that visitors get of each remote.', terminal);
  const print = (lines: readonly string[]) => terminal.output.write(`${lines.map(printableLine).join('\n')}\n`);
  const defaultSite = environment.SITE_URL || `http://localhost:${environment.PORT ?? 8080}`;

  const addCommand = (usage: string, description: string) => {
    const command = program.command(usage).description(description);
    return command
      .option('--site <url>', `the site; SITE_URL, or ${defaultSite}`)
      .option('--token-file <file>', 'a token of the site; RELEASES_TOKEN_FILE, RELEASES_TOKEN');
  };

  const open = ({ site, tokenFile }: Options) => ({
    // Where people open previews: a shell server's own container reaches it at another address.
    site: site ?? (environment.PUBLIC_URL || defaultSite),
    client: new ReleasesClient(site ?? defaultSite, readToken(tokenFile, environment)),
  });

  const addReading = (usage: string, description: string) =>
    addCommand(usage, description).option('--json', 'print JSON, for programs');
  const printJson = (json: unknown) => terminal.output.write(`${escapeControls(JSON.stringify(json, null, 2))}\n`);

  const addChange = (
    usage: string,
    description: string,
    fieldsOf: (words: readonly string[], options: Options) => object = () => ({}),
  ) => {
    const command = addCommand(usage, description).option('--why <text>', 'the reason, for the log');
    return command.action(async () => {
      const options = command.opts<Options>();
      const [remote = '', ...words] = command.args;
      const { why } = options;
      const fields = { action: command.name(), remote, ...fieldsOf(words, options), ...(why && { why }) };
      parseChange(fields);
      const { client } = open(options);
      const before = await client.readRemote(remote);
      const change = parseChange({ ...fields, seen: before.state?.number ?? 0 });
      const { lines, states } = await client.change(change).catch(async (error) => {
        // Nobody knows whether it was done, and a second rollback goes one further back.
        if (error instanceof SiteError && error.status === undefined) throw await withState(error, client, remote);
        throw error;
      });
      print([...lines, ...(await nextOf(client, states[0], before.state?.active ?? undefined, options))]);
    });
  };

  const commandWith =
    ({ site, tokenFile }: Options) =>
    (words: string) =>
      [name, words, site && `--site ${site}`, tokenFile && `--token-file ${tokenFile}`].filter(Boolean).join(' ');

  async function withState(error: SiteError, client: ReleasesClient, remote: string): Promise<CommandError> {
    const now = await client.readRemote(remote).catch(() => undefined);
    const visitors = now
      ? `${remote}: visitors get ${now.state?.active ?? 'nothing'} now.`
      : `See list before you repeat it.`;
    return new CommandError(`${error.message} It is not known whether it was done. ${visitors}`, { cause: error });
  }

  async function nextOf(client: ReleasesClient, state: State | undefined, left: string | undefined, options: Options) {
    if (!state) return [];
    const { action, remote, canary } = state;
    const command = commandWith(options);
    const activate = (version: string) => activateCommand(state, `${remote}@${version}`, command);
    if (action === 'hold') return nextLines([['lift', command(`lift ${remote}`)]]);
    if (action === 'canary' && canary)
      return nextLines([activate(canary), ['end', command(`end ${remote}`)], ['inspect', command(`show ${remote}`)]]);
    if (action === 'rollback') return nextLines([...(left ? [activate(left)] : []), ...liftCommands(state, command)]);
    if (action !== 'activate') return [];
    const { previous } = await client.readRemote(remote);
    return nextLines([
      ...(previous ? [['roll back', command(`rollback ${remote}`)] as const] : []),
      ...liftCommands(state, command),
    ]);
  }

  addReading('list', 'list what visitors get of each remote').action(async (options: Options) => {
    const { remotes } = await open(options).client.readAll();
    if (options.json) printJson(remotes);
    else print(listLines(remotes));
  });
  addReading('show <remote>', 'show a remote: stored releases, views, failures, last changes').action(
    async (remote: string, options: Options) => {
      const { site, client } = open(options);
      const [shown, { rows }] = [await client.readRemote(remote), await client.readLog(remote)];
      if (options.json) printJson({ ...shown, log: rows });
      else print(showLines(site, shown, rows.slice(0, shownRows)));
    },
  );
  addReading('log [remote]', 'list all changes: when, what, by whom and why; with a preview of each').action(
    async (remote: string | undefined, options: Options) => {
      const { site, client } = open(options);
      const [{ rows }, { remotes }] = [await client.readLog(remote), await client.readAll()];
      if (options.json) printJson(rows);
      else print(logLines(site, rows, remotes));
    },
  );
  addCommand('activate <release...>', 'give stored releases, such as mf-legal@1.0.0-3f9ac2d10b7e, to all visitors')
    .option('--why <text>', 'the reason, for the log')
    .action(async (releases: readonly string[], options: Options) => {
      const { why } = options;
      const change = parseChange({ action: 'activate', releases, ...(why && { why }) });
      const { client } = open(options);
      const { remotes } = await client.readAll();
      const { lines, states } = await client.change(change);
      if (states.length === 1) {
        print([...lines, ...(await nextOf(client, states[0], undefined, options))]);
        return;
      }
      // One after the other, two rollbacks would leave a page that moved to both remotes or to none.
      const before = states.flatMap(({ remote }) => remotes.find((each) => each.remote === remote)?.state ?? []);
      const undo = before.flatMap(({ remote, active }) => (active ? `${remote}@${active}` : [])).join(' ');
      print([...lines, ...(undo ? nextLines([['undo', commandWith(options)(`activate ${undo}`)]]) : [])]);
    });
  addChange('rollback <remote> [version]', 'return to the release before, or to a named one', ([version]) => ({
    ...(version && { version }),
  }));
  addChange(
    'canary <remote> <version>',
    'give a stored release to a share of the visitors',
    ([version], { percent }) => ({ version, percent: Number(percent) }),
  ).requiredOption('--percent <number>', 'share of the visitors, 1 to 99');
  addChange('end <remote>', 'end the canary: its visitors get the active release again');
  addChange('hold <remote>', 'store new releases without activating them, until lift');
  addChange('lift <remote>', 'end a hold; new releases become active again');
  return program;
}
