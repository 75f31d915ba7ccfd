import { defineConfig, devices } from '@playwright/test';

/** The command that runs the tests found the browser; run through `npm test -- e2e`. */
const executablePath = process.env.BROWSER_PATH;

export default defineConfig({
  testDir: '.',
  // Parts with a configuration of their own: npm run test:compose, npm run screenshots.
  testIgnore: ['compose/**', 'screenshots/**'],
  outputDir: './test-results',
  globalSetup: './support/assembled-site.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_RESULTS ?? './test-results/results.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // No calls home: they fail on a closed network, many at a time.
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
  },
});
