import { availableParallelism } from 'node:os';
import { remotes } from '@daybook/testing/workspaces';

// Jest runs ES modules as they are (NODE_OPTIONS=--experimental-vm-modules; Nest 12 is ESM only) and
// takes types out with swc, which is what the builds do too.
const typescript = {
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    target: 'es2024',
    transform: { react: { runtime: 'automatic' } },
  },
};

const shared = {
  rootDir: import.meta.dirname,
  transform: { '\\.tsx?$': ['@swc/jest', typescript] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  setupFilesAfterEnv: ['<rootDir>/scripts/jest/console-setup.ts'],
  modulePathIgnorePatterns: ['<rootDir>/(?:mf-[^/]+|shell|backend)/build/', '<rootDir>/.data/'],
};

export default {
  // On two cores one more than cores: specs with a database or a server wait for it.
  maxWorkers: Math.max(3, availableParallelism()),
  // A busy machine is ten times slower than an idle one. A project's own limit is not looked at.
  testTimeout: 60_000,
  // To free its gigabyte, a worker of a busy machine needs more than Jest's half a second.
  workerGracefulExitTimeout: 10_000,
  projects: [
    {
      ...shared,
      displayName: 'browser',
      // Builds put the release's own name in its place.
      globals: { RELEASE_NAME: 'mf-test@1.0.0-000000000000' },
      testEnvironment: '<rootDir>/scripts/jest/browser-environment.mjs',
      roots: ['packages/platform', 'packages/ui', 'scripts/new/template', 'shell/src', ...remotes].map(
        (folder) => `<rootDir>/${folder}`,
      ),
      testMatch: ['**/*.spec.ts?(x)'],
      setupFilesAfterEnv: [...shared.setupFilesAfterEnv, '<rootDir>/scripts/jest/browser-setup.ts'],
      moduleNameMapper: {
        '\\.module\\.css$': '<rootDir>/scripts/jest/css-module.mjs',
        '\\.(css|svg|png|jpg|webp|avif|pdf)$': '<rootDir>/scripts/jest/asset.mjs',
        '\\.md$': '<rootDir>/scripts/jest/markdown.mjs',
      },
    },
    {
      ...shared,
      displayName: 'node',
      testEnvironment: 'node',
      roots: [
        'packages/contract',
        'packages/releases',
        'packages/server',
        'packages/testing',
        'packages/build',
        'scripts',
        'deploy',
      ].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'shell server',
      testEnvironment: 'node',
      roots: ['<rootDir>/shell/server'],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/scripts/jest/start-releases-database.mjs',
      globalTeardown: '<rootDir>/scripts/jest/stop-releases-database.mjs',
    },
    '<rootDir>/backend/jest.config.mjs',
  ],
};
