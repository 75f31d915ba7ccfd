import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';

const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Returns entries of package-lock.json without the C library they are for: npm would install both. */
function withoutLibrary(): readonly string[] {
  const packages: Readonly<Record<string, { libc?: unknown }>> = readJson('package-lock.json').packages;
  return Object.keys(packages)
    .filter((name) => /(?:musl|gnu|glibc)(?:eabihf)?$/.test(name) && !packages[name]?.libc)
    .map((name) => `package-lock.json: ${name} needs "libc": ["${name.includes('musl') ? 'musl' : 'glibc'}"].`);
}

/** Returns dependencies that workspaces have in several versions. */
function withSeveralVersions(): readonly string[] {
  const { workspaces } = readJson('package.json');
  const files = globSync(`{.,${workspaces.join()}}/package.json`, { cwd: root });
  const named = files
    .map(readJson)
    .flatMap(({ dependencies, devDependencies, peerDependencies }) =>
      [dependencies, devDependencies, peerDependencies].flatMap((each) => Object.entries(each ?? {})),
    );
  return [...Map.groupBy(named, ([name]) => name)]
    .map(([name, each]) => ({ name, versions: new Set(each.map(([, version]) => version)) }))
    .filter(({ versions }) => versions.size > 1)
    .map(
      ({ name, versions }) => `${name} has the versions ${[...versions].join(', ')} in package.json files. Use one.`,
    );
}

export const packageProblems = (): readonly string[] => [...withoutLibrary(), ...withSeveralVersions()];
