import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { textTerminal } from '@daybook/testing/text-terminal';
import { expect, test } from '@jest/globals';
import { CommandError, createProgram, runProgram, UsageError } from './command-line.ts';

test.each([
  [['sell', 'apple'], 0, 'sold apple\n', ''],
  [['sell', 'durian'], 1, '', 'There is no durian left.\n'],
  [['sell', 'stone'], 2, '', 'A stone is no fruit.\nSee --help.\n'],
  [['sell', 'x', '--cuont', '3'], 2, '', "Unknown option '--cuont'\n(Did you mean --count?)\nSee --help.\n"],
  [['help'], 0, /sell \[options\] <fruit>/, ''],
  [[], 2, '', /Usage: shop/],
])('a program with the parameters %j exits with %i', async (parameters, code, output, errors) => {
  const { terminal, output: printed, errors: failures } = textTerminal();
  const program = createProgram('shop', 'sells fruit', terminal);
  program
    .command('sell <fruit>')
    .option('--count <number>')
    .action((fruit) => {
      if (fruit === 'stone') throw new UsageError('A stone is no fruit.');
      if (fruit === 'durian') throw new CommandError('There is no durian left.');
      terminal.output.write(`sold ${fruit}\n`);
    });
  const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));
  expect(await runProgram(program, parameters, terminal)).toBe(code);
  expect([printed(), failures()]).toEqual([matching(output), matching(errors)]);
});

test('a program whose reader has closed the pipe ends quietly', () => {
  const file = path.join(import.meta.dirname, 'command-line.ts');
  const program = `(await import('${file}')).endWithReader(); setInterval(() => console.log('fruit'))`;
  const script = 'set -o pipefail; "$0" --input-type=module -e "$1" | head -n 1';
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, program], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, 'fruit\n', '']);
});
