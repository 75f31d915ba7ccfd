import { beforeEach, expect, test } from '@jest/globals';
import { CommandError, createProgram, runProgram, type Terminal, UsageError } from './command-line.ts';

async function runAs(name: string, parameters: readonly string[]) {
  const written = { output: '', errors: '' };
  const writer = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
    },
  });
  const terminal = { output: writer('output'), errors: writer('errors') } as unknown as Terminal;
  const program = createProgram(name, 'sells fruit', terminal);
  const sell = program.command('sell <fruit>').description('sells a fruit').option('--count <number>');
  sell.action((fruit) => {
    if (fruit === 'stone') throw new UsageError('A stone is no fruit.');
    if (fruit === 'durian') throw new CommandError('There is no durian left.');
    terminal.output.write(`sold ${fruit}\n`);
  });
  return { code: await runProgram(program, parameters, terminal), ...written };
}

const run = (...parameters: string[]) => runAs('shop', parameters);

// Another test of this process may have set it, and commander's help exits with it.
beforeEach(() => {
  process.exitCode = undefined;
});

test.each([
  [['sell', 'apple'], 0, 'sold apple\n', ''],
  [['--help'], 0, /sell \[options\] <fruit>/, ''],
  [['help'], 0, /sell \[options\] <fruit>/, ''],
  [['sell', 'durian'], 1, '', 'There is no durian left.\n'],
  [[], 2, '', /Usage: shop/],
  [['sell'], 2, '', "Missing required argument 'fruit'\nSee: shop sell --help\n"],
  [['sell', 'apple', 'pear'], 2, '', /^Too many arguments.*\nSee: shop sell --help\n$/],
  [['sell', 'x', '--cuont', '3'], 2, '', "Unknown option '--cuont'\n(Did you mean --count?)\nSee: shop sell --help\n"],
  [['sel'], 2, '', "Unknown command 'sel'\n(Did you mean sell?)\nSee: shop --help\n"],
  [['sell', 'stone'], 2, '', 'A stone is no fruit.\nSee: shop sell --help\n'],
])('a program with the parameters %j exits with %i, and points to the help after wrong usage', async (...row) => {
  const [parameters, code, output, errors] = row;
  const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));
  expect(await run(...parameters)).toEqual({ code, output: matching(output), errors: matching(errors) });
});

test.each([
  ['npm run', ['sell'], 'npm run sell -- --help'],
  ['npm run', ['sel'], 'npm run help'],
  ['npm run shop --', ['sell'], 'npm run shop -- sell --help'],
  ['npm run shop --', ['sel'], 'npm run shop -- --help'],
])('the program %p with the parameters %j points to help that npm passes on', async (name, parameters, command) => {
  expect((await runAs(name, parameters)).errors).toMatch(new RegExp(`\\nSee: ${command}\\n$`));
});
