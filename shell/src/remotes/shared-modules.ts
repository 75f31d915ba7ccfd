const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  react: () => import(/* webpackMode: "eager" */ 'react'),
  'react/jsx-runtime': () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  'react-dom': () => import(/* webpackMode: "eager" */ 'react-dom'),
  '@daybook/platform': () => import(/* webpackMode: "eager" */ '@daybook/platform'),
  '@daybook/platform/queries': () => import('@daybook/platform/queries'),
};

/** Any version matches: a page has only one copy of each module. */
const version = '1.0.0';

/** The modules that remotes take from the shell, by the name of their import, in the form of Module Federation. */
export const shareScope = Object.fromEntries(
  Object.entries(modules).map(([name, load]) => [
    name,
    { [version]: { get: () => load().then((module) => () => module), from: 'shell', loaded: 1 } },
  ]),
);
