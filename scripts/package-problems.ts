import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';

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
  const versions = new Map<string, Set<unknown>>();
  for (const file of [
    'package.json',
    ...globSync(
      workspaces.map((each: string) => `${each}/package.json`),
      { cwd: root },
    ),
  ])
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
      for (const [name, version] of Object.entries(readJson(file)[kind] ?? {}))
        versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return [...versions]
    .filter(([, each]) => each.size > 1)
    .map(([name, each]) => `${name} has the versions ${[...each].join(', ')} in package.json files. Use one.`);
}

/** Returns problems of the packages that package.json files and package-lock.json name. */
export const packageProblems = (): readonly string[] => [...withoutLibrary(), ...withSeveralVersions()];
