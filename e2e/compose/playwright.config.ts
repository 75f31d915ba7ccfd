import { defineConfig } from '@playwright/test';
import site from '../playwright.config.ts';

/** What is tried on a compose stack, then on a swarm, one thing after the other; run through `npm run test:compose`. */
export default defineConfig(site, {
  globalSetup: './running-stack.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 240_000,
  projects: [
    { name: 'journeys', testDir: '../journeys', testMatch: 'main-journey.spec.ts' },
    // The site's own configuration ignores this folder.
    { name: 'operation', testDir: '.', testIgnore: 'swarm.spec.ts' },
    { name: 'swarm', testDir: '.', testIgnore: [], testMatch: 'swarm.spec.ts' },
  ],
});
