/**
 * The modules that remotes take from the shell, by the name of their import. Each runs on first use; only the query
 * library is a separate file.
 */
export const sharedModules = {
  react: () => import(/* webpackMode: "eager" */ 'react'),
  'react/jsx-runtime': () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  'react-dom': () => import(/* webpackMode: "eager" */ 'react-dom'),
  '@daybook/platform': () => import(/* webpackMode: "eager" */ '@daybook/platform'),
  '@daybook/platform/queries': () => import('@daybook/platform/queries'),
} as const;

/** Any version matches: a page has only one copy of each. */
export const sharedVersion = '1.0.0';
