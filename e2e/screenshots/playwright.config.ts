import { defineConfig } from '@playwright/test';
import site from '../playwright.config.ts';

const { projects: _, ...shared } = site;

/** Run by `npm run screenshots`. */
export default defineConfig(shared, { globalSetup: '../support/assembled-site.ts', testIgnore: [] });
