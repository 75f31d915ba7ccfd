import { defineConfig } from '@playwright/test';
import { shared } from '../playwright.config.ts';

/** Run by `npm test -- screenshots`. */
export default defineConfig(shared, { globalSetup: '../support/assembled-site.ts', workers: 2 });
