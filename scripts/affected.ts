import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageOf, readSources } from '@daybook/build/sources';
import { CommandError } from '@daybook/server';
import { runQuietly } from '@daybook/testing/processes';
import { buildFolder, remotes, root } from '@daybook/testing/workspaces';
import { importGraphCommand } from './check-steps.ts';

/** Changes since a commit. */
export interface Changes {
  /** Changed, added and removed files, relative to the repository's root. */
  readonly files: readonly string[];
  /** Installed packages of another version, with everything that depends on them; by name. */
  readonly packages: ReadonlySet<string>;
}

/** A part of the product, or a test file, with the changes that it contains. */
export interface Affected {
  readonly name: string;
  readonly because: readonly string[];
}

/** What a file imports, by its path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dependencies?: Readonly<Record<string, string>> }>
  >;
}

const git = (...parameters: readonly string[]) =>
  execFileSync('git', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000, stdio: 'pipe' });

/**
 * Returns the names of packages that differ between two lockfiles, and of all packages that depend on one of them.
 * Compares names only: two installed versions of a package count as one.
 */
export function changedPackages(before: Lockfile, after: Lockfile): ReadonlySet<string> {
  const places = new Set([...Object.keys(before.packages), ...Object.keys(after.packages)]);
  const differs = (place: string) => before.packages[place]?.version !== after.packages[place]?.version;
  const changed = new Set([...places].filter(differs).flatMap((place) => packageOf(place) ?? []));
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [place, { dependencies = {} }] of Object.entries(after.packages)) {
      const name = packageOf(place);
      if (name && Object.keys(dependencies).some((each) => changed.has(each))) changed.add(name);
    }
  }
  return changed;
}

/**
 * Returns the changes of the working tree since a commit, uncommitted and new files included.
 *
 * @param since a commit, branch or tag
 * @throws CommandError if git does not know it
 */
export function changesSince(since: string): Changes {
  let commit: string;
  try {
    commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`).trim();
  } catch {
    throw new CommandError(`git knows no commit “${since}”. Name a commit, a branch or a tag, such as --since main.`);
  }
  const differing = git('diff', '--name-only', '--no-renames', '-z', commit, '--');
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  const files = `${differing}${added}`.split('\0').filter((file) => file !== '');
  const lockfile = 'package-lock.json';
  const packages = files.includes(lockfile)
    ? changedPackages(
        JSON.parse(git('show', `${commit}:${lockfile}`)),
        JSON.parse(readFileSync(path.join(root, lockfile), 'utf8')),
      )
    : new Set<string>();
  return { files, packages };
}

/** Reads the imports of all sources, with dependency-cruiser. */
export async function readImportGraph(): Promise<ImportGraph> {
  const { code, output } = await runQuietly(importGraphCommand);
  if (code !== 0) throw new CommandError(`${output}\n\nThe imports could not be read; see above.`);
  const { modules } = JSON.parse(output) as {
    readonly modules: readonly {
      readonly source: string;
      readonly dependencies: readonly { readonly resolved: string }[];
    }[];
  };
  return new Map(modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]));
}

/** Returns the files that a file reaches by imports, itself included. */
export function reachedFrom(file: string, graph: ImportGraph, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of graph.get(file) ?? []) reachedFrom(imported, graph, found);
  return found;
}

/** Returns which of the changes are among files and packages. */
const contained = ({ files, packages }: Changes, own: Iterable<string>, ofPackages: Iterable<string> = []) => {
  const all = new Set(own);
  const named = new Set([...ofPackages, ...[...all].flatMap((file) => packageOf(file) ?? [])]);
  return [...files.filter((file) => all.has(file)), ...[...named].filter((name) => packages.has(name))];
};

const isTest = (file: string) => /\.spec\.tsx?$/.test(file);

/** Returns the changes of what makes every build: our build package, what it imports from elsewhere, and the compiler's settings. */
function inBuildTools(changes: Changes, graph: ImportGraph): readonly string[] {
  const own = [...graph.keys()].filter((file) => file.startsWith('packages/build/src/') && !isTest(file));
  const installed = own.flatMap((file) => (graph.get(file) ?? []).flatMap((imported) => packageOf(imported) ?? []));
  return contained(changes, [...own, 'tsconfig.base.json'], installed);
}

/**
 * Returns the changes that a remote or the shell contains, according to its last build, and those of its tools.
 *
 * @param workspace must be built from the current sources
 */
function inBuild(workspace: string, changes: Changes, graph: ImportGraph): readonly string[] {
  const sources = readSources(buildFolder(workspace));
  const configuration = reachedFrom(`${workspace}/rspack.config.ts`, graph);
  // Only those of its own folder: the configuration imports what every build does.
  const own = [...configuration].filter((file) => file.startsWith(`${workspace}/`));
  const all = contained(changes, [...sources.files, ...own, `${workspace}/package.json`], sources.packages);
  return [...new Set([...all, ...inBuildTools(changes, graph)])];
}

/** Entry points of the servers, and the folder of their tests. */
const servers = [
  {
    name: 'shell server',
    folder: 'shell/server/',
    entries: ['shell/server/main.ts', 'packages/releases/src/command/main.ts'],
  },
  {
    name: 'backend',
    folder: 'backend/',
    entries: ['backend/src/main.ts', 'backend/src/migrate.ts', 'backend/src/operator/main.ts'],
  },
] as const;

/** Parts of the product that changes touch. */
export function affectedParts(changes: Changes, graph: ImportGraph): readonly Affected[] {
  const built = [...remotes, 'shell'].map((name) => ({ name, because: inBuild(name, changes, graph) }));
  const running = servers.map(({ name, folder, entries }) => {
    const reached = entries.flatMap((entry) => [...reachedFrom(entry, graph)]);
    const manifest = changes.files.filter((file) => file === `${folder.split('/')[0]}/package.json`);
    return { name, because: [...new Set([...contained(changes, reached), ...manifest])] };
  });
  return [...built, ...running].filter(({ because }) => because.length > 0);
}

/**
 * Returns the unit and integration tests that changes touch: those that import a changed file, and all tests of an
 * affected server, because some of them start it as a process.
 */
export function affectedTests(changes: Changes, graph: ImportGraph, parts: readonly Affected[]): readonly Affected[] {
  const started = servers.filter(({ name }) => parts.some((part) => part.name === name));
  return [...graph.keys()]
    .filter((file) => isTest(file) && !file.startsWith('e2e/'))
    .flatMap((name) => {
      const because = contained(changes, reachedFrom(name, graph));
      if (because.length > 0) return [{ name, because }];
      const server = started.find(({ folder }) => name.startsWith(folder));
      return server ? [{ name, because: [`the ${server.name} is affected`] }] : [];
    });
}

/**
 * Returns the browser tests that changes touch: all if they touch shell, servers or what browser tests share; otherwise
 * those that name an affected remote or one of its pages.
 *
 * @param routesOf returns the paths of a remote's pages
 */
export function affectedBrowserTests(
  changes: Changes,
  graph: ImportGraph,
  parts: readonly Affected[],
  routesOf: (remote: string) => readonly string[],
): readonly Affected[] {
  const tests = [...graph.keys()].filter(
    (file) => isTest(file) && file.startsWith('e2e/') && !file.startsWith('e2e/compose/'),
  );
  const everywhere = parts.find(({ name }) => !remotes.includes(name));
  const touched = parts.filter(({ name }) => remotes.includes(name));
  return tests.flatMap((name) => {
    if (everywhere) return [{ name, because: [`the ${everywhere.name} is affected`] }];
    const own = contained(changes, reachedFrom(name, graph));
    const file = path.join(root, name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const named = touched.filter(({ name: remote }) =>
      [remote, ...routesOf(remote)].some((word) => new RegExp(`['"\`}]${word}['"\`?#]`).test(text)),
    );
    const because = [...own, ...named.map(({ name: remote }) => `it names ${remote} or one of its pages`)];
    return because.length > 0 ? [{ name, because }] : [];
  });
}
