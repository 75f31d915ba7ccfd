import { defineConfig, type ReporterDescription } from '@playwright/test';
import { shared } from '../playwright.config.ts';

/** Serial tests on a compose stack, then on a swarm; run by `npm run test:compose`. */
export default defineConfig(shared, {
  globalSetup: './running-stack.ts',
  reporter: [...(shared.reporter as ReporterDescription[]), ['./state-reporter.ts']],
  fullyParallel: false,
  workers: 1,
  timeout: 400_000,
  projects: [
    { name: 'journeys', testDir: '../journeys', testMatch: 'main-journey.spec.ts', grep: /every step is stored/ },
    { name: 'operation', testDir: '.', testIgnore: 'swarm.spec.ts' },
    { name: 'swarm', testDir: '.', testMatch: 'swarm.spec.ts' },
  ],
});
