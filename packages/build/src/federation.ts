import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Modules with a single instance per page, provided by the shell in its first script. */
const sharedAtOnce = ['react', 'react/jsx-runtime', 'react-dom', '@daybook/platform'];

/** Also provided by the shell, in a file that is loaded when a remote first imports it. */
const sharedOnDemand = ['@daybook/platform/queries'];

/** Any version matches: a page has only one copy, and the contract's version states which one. */
const anyVersion = false as const;

const sharedModules = [...sharedAtOnce, ...sharedOnDemand];

/**
 * The modules that the shell provides. `import` is a path, because a bare name would bundle modules that the
 * shell never imports. A path has no package to read a version from, so `version` is set, without which the runtime
 * warns.
 */
export const sharedByShell = Object.fromEntries([
  ...sharedAtOnce.map((name) => [name, { singleton: true, eager: true, requiredVersion: anyVersion }] as const),
  ...sharedOnDemand.map((name) => {
    const provided = { import: require.resolve(name), version: '1.0.0' };
    return [name, { singleton: true, ...provided, requiredVersion: anyVersion }] as const;
  }),
]);

/** The modules that a remote takes from the shell instead of bundling a copy. */
export const sharedInRemote = Object.fromEntries(
  sharedModules.map((name) => [name, { singleton: true, import: false as const, requiredVersion: anyVersion }]),
);

const bundlerRuntime = path.dirname(require.resolve('@module-federation/webpack-bundler-runtime'));
const runtime = path.dirname(require.resolve('@module-federation/runtime'));
const runtimeTools = path.dirname(require.resolve('@module-federation/runtime-tools'));

/**
 * Rspack resolves the federation runtime as CommonJS, which cannot be tree-shaken. These aliases resolve to the ES
 * modules of the same release: a remote's entry shrinks from 34 to about 8 kB. The names are those of the plugin's own
 * aliases, which they replace; with a `$` they would come after those and never match.
 */
export const federationAliases = {
  [path.join(bundlerRuntime, 'index.cjs')]: path.join(bundlerRuntime, 'bundler.js'),
  '@module-federation/runtime': path.join(runtime, 'bundler.js'),
  '@module-federation/runtime-tools': path.join(runtimeTools, 'bundler.js'),
};
