import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { findBrowser } from '@daybook/testing/browser';
import { copySources, docker, findCompose, Stack, writeSettings } from '@daybook/testing/compose';
import { findFreePort } from '@daybook/testing/ports';
import { exitCode, startNode } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { postgresImage } from '../compose/stand-in.ts';
import { Steps } from '../compose/steps.ts';
import { trySwarm } from '../compose/swarm.ts';
import { readPlaywrightResults, type TestCounts } from '../test-results.ts';

/** Apart from every stack that runs here for somebody: names of containers, volumes, networks and images. */
const project = 'daybook-test-compose';
const version = 'test-compose';

/** From images that are there to a site that is healthy, in ms. */
const coldStartLimit = 60_000;

const built = [...remotes, 'backend', 'shell'];

const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function sizeOfImage(service: string): Promise<string> {
  const bytes = Number(await docker('image', 'inspect', '--format', '{{.Size}}', `daybook/${service}:${version}`));
  return `${Math.round(bytes / 1_000_000)} MB`;
}

/** What is left of the project's containers, volumes and networks. */
async function leftovers(): Promise<readonly string[]> {
  const filter = ['--quiet', '--filter', `label=com.docker.compose.project=${project}`];
  const lists = await Promise.all([
    docker('ps', '--all', ...filter),
    docker('volume', 'ls', ...filter),
    docker('network', 'ls', ...filter),
  ]);
  return lists.join('').split('\n').filter(Boolean);
}

async function tryInBrowser(stack: Stack, address: string, browser: string, results: string): Promise<void> {
  const environment = {
    SITE_ADDRESS: address,
    STACK_FOLDER: stack.folder,
    BROWSER_PATH: browser,
    PLAYWRIGHT_RESULTS: results,
  };
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const config = path.join(root, 'e2e/compose/playwright.config.ts');
  await exitCode(startNode([playwright, 'test', '--config', config], { environment }));
}

/**
 * `npm run test:compose`: builds the compose stack under a name of its own, starts it, tries it in a browser, releases
 * a remote under load, kills each container, restarts all, and takes everything down; prints each step and its outcome.
 */
export async function testCompose(): Promise<TestCounts> {
  const started = new AsyncDisposableStack();
  try {
    return await tryStack(started);
  } finally {
    await started.disposeAsync();
  }
}

async function tryStack(started: AsyncDisposableStack): Promise<TestCounts> {
  const program = await findCompose();
  if (!program) {
    console.log('Skipped: no Docker engine with Compose runs here. With one, npm run test:compose tries the stack.');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const browser = findBrowser();
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-compose-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const port = await findFreePort();
  const stack = new Stack(folder, program);
  copySources(folder);
  const settings = {
    COMPOSE_PROJECT_NAME: project,
    PORT: String(port),
    VERSION: version,
    REVISION: 'abcdef0',
    POSTGRES_IMAGE: await postgresImage(),
  };
  writeSettings(folder, settings);
  // What a run that was killed has left.
  await stack.compose('down', '--volumes', '--remove-orphans');
  started.defer(async () => void (await stack.compose('down', '--volumes', '--remove-orphans')));

  const steps = new Steps();
  for (const service of built)
    await steps.run(`image of ${service} is built`, async () => {
      await stack.compose('build', service);
      return sizeOfImage(service);
    });
  await steps.run(`cold start: everything is healthy in less than ${secondsOf(coldStartLimit)}`, async () => {
    const from = performance.now();
    await stack.compose('up', '--detach', '--wait', '--wait-timeout', '300');
    const took = performance.now() - from;
    if (took > coldStartLimit) throw new CommandError(`It took ${secondsOf(took)}.`);
    return secondsOf(took);
  });
  if (!steps.hasFailed) {
    const results = path.join(root, 'test-results/compose.json');
    rmSync(results, { force: true });
    await tryInBrowser(stack, `http://localhost:${port}`, browser, results);
    steps.add(existsSync(results) ? readPlaywrightResults(results) : { passed: 0, failed: 1, skipped: 0 });
  }
  await steps.run('everything is taken down, and nothing is left', async () => {
    await stack.compose('down', '--volumes');
    const left = await leftovers();
    if (left.length > 0) throw new CommandError(`Left: ${left.join(', ')}`);
    return '';
  });
  await trySwarm(steps, stack, settings);
  return steps.counts;
}
