/**
 * The modules that a remote takes from the shell instead of bundling a copy; the shell provides them in
 * `src/remotes/shared-modules.ts`. Any version matches: a page has only one copy, and the contract's version states
 * which one.
 */
export const sharedInRemote = Object.fromEntries(
  ['react', 'react/jsx-runtime', 'react-dom', '@daybook/platform', '@daybook/platform/queries'].map((name) => [
    name,
    { singleton: true, import: false as const, requiredVersion: false as const },
  ]),
);
