const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  react: () => import(/* webpackMode: "eager" */ 'react'),
  'react/jsx-runtime': () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  'react-dom': () => import(/* webpackMode: "eager" */ 'react-dom'),
  '@daybook/platform': () => import(/* webpackMode: "eager" */ '@daybook/platform'),
  '@daybook/platform/queries': () => import('@daybook/platform/queries'),
};

/** Any version matches: a page has only one copy of each module. */
export const sharedVersion = '1.0.0';

/**
 * The modules that remotes take from the shell, by the name of their import, each as module federation gets it: a
 * promise of a function that returns the module. Each runs on first use; only the query library is a separate file.
 */
export const sharedModules = Object.entries(modules).map(
  ([name, load]) => [name, () => load().then((module) => () => module)] as const,
);
