import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** The modules of which there is one copy on a page, given by the shell in its first script. */
const sharedAtOnce = ['react', 'react/jsx-runtime', 'react-dom', '@daybook/platform'];

/** Given by the shell as well, in a file that is loaded when a remote first imports it. */
const sharedOnDemand = ['@daybook/platform/queries'];

/** One copy is all there is: which version it is, the contract's version says. */
const anyVersion = false as const;

const sharedModules = [...sharedAtOnce, ...sharedOnDemand];

/**
 * What the shell gives. It imports none of those on demand itself: a path instead of a name puts them into its build,
 * and as a path has no package to read a version from, they are given one, without which the runtime warns.
 */
export const sharedByShell = Object.fromEntries([
  ...sharedAtOnce.map((name) => [name, { singleton: true, eager: true, requiredVersion: anyVersion }] as const),
  ...sharedOnDemand.map((name) => {
    const given = { import: require.resolve(name), version: '1.0.0' };
    return [name, { singleton: true, ...given, requiredVersion: anyVersion }] as const;
  }),
]);

/** A remote takes them from the shell and carries no copy of its own. */
export const sharedInRemote = Object.fromEntries(
  sharedModules.map((name) => [name, { singleton: true, import: false as const, requiredVersion: anyVersion }]),
);

const bundlerRuntime = path.dirname(require.resolve('@module-federation/webpack-bundler-runtime'));
const runtime = path.dirname(require.resolve('@module-federation/runtime'));
const runtimeTools = path.dirname(require.resolve('@module-federation/runtime-tools'));

/**
 * Rspack resolves the federation runtime as CommonJS, so that nothing of it is shaken out. These aliases lead to the ES
 * modules of the same release instead: a remote's entry shrinks from 34 to about 8 kB. The names are those of the
 * plugin's own aliases, whose place they take; with a `$` they would come after them, and not be asked.
 */
export const federationAliases = {
  [path.join(bundlerRuntime, 'index.cjs')]: path.join(bundlerRuntime, 'bundler.js'),
  '@module-federation/runtime': path.join(runtime, 'bundler.js'),
  '@module-federation/runtime-tools': path.join(runtimeTools, 'bundler.js'),
};
