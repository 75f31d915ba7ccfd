import { type Child, startServer } from '@daybook/testing/processes';
import { afterEach, describe, expect, test } from '@jest/globals';
import { waitUntilServed } from './trial.ts';

const children: Child[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server that runs this code and then goes on, if it can. */
const server = (code: string) => {
  const child = startServer(['-e', `${code}; setInterval(() => undefined, 1000);`], {}, 'pipe');
  children.push(child);
  return child;
};
const never = async () => false;

/** Far below the time after which it is given up. */
const atOnce = 10_000;

describe('the shell server that a release is tried in', () => {
  test('is there once it shows the release', async () => {
    let asked = 0;
    await waitUntilServed(server(''), async () => ++asked === 3);
    expect(asked).toBe(3);
  });

  test(
    'that refuses the release is not waited for, and quoted',
    async () => {
      const refusal = JSON.stringify({ level: 50, msg: 'mf-press: it has 2001 files; at most 2000 are taken' });
      const refusing = server(`console.log('{"level":40,"msg":"busy"}'); console.log(${JSON.stringify(refusal)})`);
      await expect(waitUntilServed(refusing, never)).rejects.toThrow(
        'The shell server does not take the release:\n  mf-press: it has 2001 files; at most 2000 are taken',
      );
    },
    atOnce,
  );

  test(
    'that a signal ended is not waited for',
    async () => {
      const killed = server(`process.kill(process.pid, 'SIGKILL')`);
      await expect(waitUntilServed(killed, never)).rejects.toThrow(
        'The shell server was ended by SIGKILL before it served the release.',
      );
    },
    atOnce,
  );

  test(
    'that ended by itself is quoted to its last word',
    async () => {
      const ended = server(`console.error('PORT: must be a port number'); process.exitCode = 1; process.exit()`);
      await expect(waitUntilServed(ended, never)).rejects.toThrow(
        'PORT: must be a port number\n\nThe shell server ended with code 1 before it served the release.',
      );
    },
    atOnce,
  );
});
