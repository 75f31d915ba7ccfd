import { docker } from '@daybook/testing/compose';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

const longPoll = { timeout: stack.healthTimeout };
const compose = (...words: readonly string[]) => stack.compose('--profile', 'logs', ...words);

/** Returns the lines that the collector has stored: of each its container, and what that wrote. */
async function readStored(): Promise<readonly { readonly container: string; readonly line: string }[]> {
  const text = await compose('exec', '-T', 'logs', 'sh', '-c', 'cat /logs/*.log');
  return text.split('\n').map((each) => JSON.parse(each));
}

/** Container without a service, whose lines have the tag of a project. */
const writer = `${stack.project}-writer`;
async function write(project: string, script: string, ...options: readonly string[]): Promise<void> {
  await docker('rm', '--force', writer);
  const log = ['--log-driver=json-file', `--log-opt=tag=${project}/${writer}`, ...options];
  const command = ['--entrypoint=node', 'node:24-bookworm-slim', '--eval', script];
  await docker('run', '--detach', '--name', writer, '--network=none', ...log, ...command);
  await docker('wait', writer);
}
const linesOfWriter = async () =>
  (await readStored()).filter(({ container }) => container === writer).map(({ line }) => line.split(' ')[0]);

test.beforeAll('start the profile', async () => {
  test.setTimeout(600_000);
  stack.changeSettings({ DOCKER_FOLDER: await docker('info', '--format', '{{.DockerRootDir}}') });
  await compose('build', 'logs');
  await compose('up', '--detach', '--no-deps', 'logs');
});

test.afterAll('remove the profile', async () => {
  await docker('rm', '--force', writer);
  await compose('rm', '--stop', '--force', 'logs');
});

test('request lines of edge, shell and backend are stored once, also those from while the collector was dead', async () => {
  const ids: string[] = [];
  const send = async (path: string, headers = {}) => {
    const response = await fetch(process.env.SITE_URL + path, { method: 'POST', headers });
    ids.push(response.headers.get('x-request-id') ?? '');
  };
  const sendBoth = async () => {
    await send('/api/waitlist');
    // What the shell server logs by itself are operators' changes, failures, and forms of other sites.
    await send('/_releases', { Origin: 'https://other.example' });
  };
  /** Returns the containers with a line of each request, sorted. */
  const containers = async () => {
    const stored = await readStored().catch(() => []);
    return ids.map((id) => {
      const ofRequest = stored.filter(({ line }) => line.includes(id));
      return ofRequest.map(({ container }) => container.replace(RegExp(`^${stack.project}-|-\\d+$`, 'g'), '')).sort();
    });
  };
  const expected = [
    ['backend', 'edge'],
    ['edge', 'shell'],
  ];
  await sendBoth();
  await expect.poll(containers, longPoll).toEqual(expected);
  await compose('kill', 'logs');
  await sendBoth();
  await compose('start', 'logs');
  await expect.poll(containers, longPoll).toEqual([...expected, ...expected]);
});

test('no line is lost when Docker rotates a file, and none is of a project whose name begins with that of the stack', async () => {
  await write(`${stack.project}-staging`, 'console.log("staging")');
  const numbers = Array.from({ length: 1_000 }, (_, index) => String(index));
  // Two rotations, and some hundred lines between two polls of the collector.
  const script = `
    let count = 0;
    const timer = setInterval(() => {
      for (let times = 0; times < 10; times += 1) console.log(count++ + ' ' + 'x'.repeat(400));
      if (count === ${numbers.length}) clearInterval(timer);
    }, 100);`;
  await write(stack.project, script, '--log-opt=max-size=200k', '--log-opt=max-file=3', '--log-opt=compress=true');
  await expect.poll(async () => (await linesOfWriter()).at(-1), longPoll).toBe(numbers.at(-1));
  expect(await linesOfWriter()).toEqual(numbers);
});
