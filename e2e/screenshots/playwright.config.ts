import { defineConfig } from '@playwright/test';
import { shared } from '../playwright.config.ts';

export default defineConfig(shared, { globalSetup: '../support/assembled-site.ts', workers: 2 });
