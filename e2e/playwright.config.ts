import { defineConfig, devices } from '@playwright/test';
import type { EngineFixtures } from './engines/test.ts';

/** Set by the command that runs the tests: `npm test -- e2e`. */
const executablePath = process.env.BROWSER_PATH;

/** Parts with separate configurations (npm run test:compose, npm test -- screenshots) or projects. */
const separate = ['compose/**', 'screenshots/**', 'engines/**'];

/** Files whose tests run one after the other for minutes: in a worker of their own, from the start. */
const long = [
  'release-command/release-command.full',
  'resilience/chaos.full',
  'resilience/release-under-load.full',
  'resilience/request-smuggling.full',
].map((name) => `${name}.spec.ts`);

/** What all configurations of browser tests share. */
export const shared = defineConfig({
  testDir: '.',
  outputDir: './test-results',
  fullyParallel: true,
  retries: 0,
  // A busy machine is ten times slower than an idle one; a passing test takes no longer for it.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_RESULTS ?? './test-results/results.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // No background requests: on a closed network they fail in bursts. No emulated GPU: it takes a tenth of the CPU.
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
        '--disable-gpu',
      ],
    },
  },
});

const engines = ['firefox', 'webkit'] as const;

export default defineConfig<object, EngineFixtures>(shared, {
  globalSetup: '@daybook/testing/assembled-site',
  // One more than the cores of a small machine: tests wait for timers and polls.
  workers: 3,
  // A worker takes the first project that may have one more.
  projects: [
    // One of these takes a minute on an idle machine.
    { name: 'long', testMatch: long, workers: 1, timeout: 600_000 },
    ...engines.map((engine) => ({ name: engine, testDir: './engines', use: { engine }, workers: 1 })),
    { name: 'pages', testIgnore: [...separate, ...long] },
  ],
});
