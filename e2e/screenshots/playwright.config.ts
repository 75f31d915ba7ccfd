import { defineConfig } from '@playwright/test';
import { shared } from '../playwright.config.ts';

export default defineConfig(shared, { globalSetup: '@daybook/testing/assembled-site', workers: 2 });
