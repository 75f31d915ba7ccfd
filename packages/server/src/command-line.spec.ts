import { describe, expect, test } from '@jest/globals';
import { CommandError, createProgram, runProgram, type Terminal, UsageError } from './command-line.ts';

async function run(...parameters: string[]) {
  const written = { output: '', errors: '' };
  const writer = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
      return true;
    },
  });
  const terminal = { input: process.stdin, output: writer('output'), errors: writer('errors') } as unknown as Terminal;
  const program = createProgram('shop', 'sells fruit', terminal);
  program
    .command('sell <fruit>')
    .description('sells a fruit')
    .option('--count <number>')
    .action((fruit) => {
      if (fruit === 'stone') throw new UsageError('A stone is no fruit.');
      if (fruit === 'durian') throw new CommandError('There is no durian left.');
      terminal.output.write(`sold ${fruit}\n`);
    });
  return { code: await runProgram(program, parameters, terminal), ...written };
}

describe('a program', () => {
  test('writes results to standard output and exits with 0', async () => {
    expect(await run('sell', 'apple')).toEqual({ code: 0, output: 'sold apple\n', errors: '' });
  });

  test.each([
    [['sell'], "Missing required argument 'fruit'\nSee: shop sell --help\n"],
    [['sell', 'apple', 'pear'], /Too many arguments.*\nSee: shop sell --help\n/],
    [
      ['sell', 'apple', '--cuont', '3'],
      /Unknown option '--cuont'\n\(Did you mean --count\?\)\nSee: shop sell --help\n/,
    ],
    [['sel'], /Unknown command 'sel'\n\(Did you mean sell\?\)\nSee: shop --help\n/],
    [['sell', 'stone'], 'A stone is no fruit.\nSee: shop sell --help\n'],
  ])('exits with 2 for the wrong usage %j and points to the help', async (parameters, errors) => {
    expect(await run(...parameters)).toEqual({ code: 2, output: '', errors: expect.stringMatching(errors) });
  });

  test('exits with 1 if a command failed', async () => {
    expect(await run('sell', 'durian')).toEqual({ code: 1, output: '', errors: 'There is no durian left.\n' });
  });

  test.each([[['--help']], [['help']]])('prints its help for %j on standard output', async (parameters) => {
    expect(await run(...parameters)).toEqual({
      code: 0,
      output: expect.stringContaining('sell [options] <fruit>'),
      errors: '',
    });
  });

  test('prints its help and exits with 2 without a command', async () => {
    expect(await run()).toEqual({ code: 2, output: '', errors: expect.stringContaining('Usage: shop') });
  });
});
