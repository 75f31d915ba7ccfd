// First: what the others import reads the environment when it is loaded.
import './use-own-environment.ts';
import { CommandError, createProgram, endWithReader, runProgram } from '@daybook/server/command-line';
import { runCommand } from './run-command.ts';

/** The project's commands, as package.json calls them. Each imports its code lazily: that of the tests takes a second. */
const program = createProgram(
  'npm run',
  'The commands of this project. Options of a command come after --: npm run release mf-legal -- --dry-run',
).enablePositionalOptions();

program.commandsGroup('The site:');
program
  .command('start')
  .description('build what has changed, then run the assembled site until Ctrl-C')
  .action(async () => (await import('./start.ts')).start());
program
  .command('dev')
  .usage('[remote] [-- options]')
  .description('run the site, or one remote in it; rebuild and reload it after each change')
  .argument('[remote]', 'such as mf-legal; default: all')
  .option('--site <url>', 'with one remote: show it in this running site, and build nothing else')
  .action(async (remote, options) => (await import('./develop.ts')).develop(remote, options));

program.commandsGroup('Pages and releases:');
program
  .command('new-page')
  .description('add a page to a remote, with its test; in mf-legal, a text in Markdown')
  .argument('<remote>', 'such as mf-legal')
  .argument('<path>', 'such as /cookie-choices')
  .action(async (remote, page) => (await import('./new.ts')).newPage(remote, page));
program
  .command('new-remote')
  .description('add a remote with one page, its tests, and its entries in deployment files and CODEOWNERS')
  .argument('<name>', 'its name; its folder is mf-<name>')
  .argument('[path]', 'path of its page; default: /<name>')
  .action(async (name, page) => (await import('./new.ts')).newRemote(name, page));
program
  .command('release')
  .usage('<remote> [-- options]')
  .description('build a remote, check it, and publish it to a site')
  .argument('[remote]', 'such as mf-legal')
  .option('--dry-run', 'run all checks, publish nothing')
  .option('--site <url>', 'publish to this site instead of that of npm start')
  .option('--keep', 'store it without giving it to visitors, and print the link of its preview')
  .option('--percent <number>', 'publish it as a canary: only this share of visitors gets it')
  .option('--replace <why>', 'replace what visitors have, although this branch does not contain its commit')
  .option('--token-file <file>', 'a token for the remote; RELEASES_TOKEN_FILE, RELEASES_TOKEN, .data/tokens/<remote>')
  .action(async (remote, options) => (await import('./release.ts')).release(remote, options));

// Separate programs that parse their own options.
const programs = {
  releases: 'list, activate, roll back and hold releases of npm start',
  operator: 'subscribers, privacy requests and events of npm start',
} as const;
for (const name of ['releases', 'operator'] as const)
  program
    .command(name)
    .description(`${programs[name]}; see: npm run ${name} -- --help`)
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words) => (await import('./programs.ts'))[name](words));

program.commandsGroup('Tests and measurements:');
program
  .command('test')
  .usage('[part] [filter...] [-- options]')
  .description('run the tests that block a change: checks, unit, integration and browser tests')
  .argument(
    '[part]',
    'all: the slow ones, too; units or e2e: all of these; a remote: its units; screenshots of every page and state',
  )
  .argument('[filter...]', 'parts of file names, and options of Jest or Playwright')
  .allowUnknownOption()
  .passThroughOptions()
  .action(async (part, filters) => (await import('./test.ts')).test(part, filters));
program
  .command('test:compose')
  .description('build the compose stack, test it, and kill each container')
  .argument('[filter...]', 'parts of file names')
  .action(async (filters) => (await import('./test.ts')).compose(filters));
program
  .command('chaos')
  .description('failures of remotes; or kills during signups, counting the lost ones')
  .argument(
    '[part...]',
    'remotes that fail, or backend: kill backends, database and webhook receiver; default: all remotes',
  )
  .action(async (parts) => {
    if (parts.join() === 'backend') await (await import('./chaos-backend.ts')).chaosBackend();
    else await (await import('./test.ts')).chaos(parts);
  });
program
  .command('bench')
  .usage('-- [options] [part...]')
  .description('compare the site with its alternatives; docs/performance.md lists the parts')
  .argument('[part...]', 'parts to measure; default: all')
  .option('--rounds <number>', 'number of measurements of each contestant', Number, 3)
  .option('--routes <paths>', 'pages: paths of pages, separated by commas', (text) => text.split(','))
  .action(async (parts, options) => (await import('./bench.ts')).bench(parts, options));

program.commandsGroup('Upkeep of this repository:');
program
  .command('check')
  .description('lint, format, types, dependency direction, dead code, packages, and what is written from other sources')
  .option('--fix', 'check nothing: write that, such as lists of remotes and the table of settings, and format')
  .action(({ fix = false }) =>
    runCommand(async () => {
      const { fixChecks, runChecks } = await import('./check-steps.ts');
      if (fix) return fixChecks(console.log);
      const failed = await runChecks(console.log);
      if (failed.length > 0) throw new CommandError(`Failed: ${failed.join(', ')}.`);
    }),
  );
program
  .command('build')
  .description('build what has changed since its last build; publishes nothing')
  .option('--pictures', 'only render touch icon and sharing picture from shell/pictures/')
  .action(({ pictures = false }) =>
    runCommand(async (started) => {
      if (pictures) return (await import('./pictures.ts')).drawPictures(started);
      await (await import('./build.ts')).build(console.log);
      console.log('Everything is built.');
    }),
  );

endWithReader();
const code = await runProgram(program, process.argv.slice(2));
process.exitCode ||= code;
