import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import { root } from '../../scripts/workspaces.ts';

/** A release in memory: what an origin serves. */
export interface ReleaseVariant {
  readonly release: Release;
  readonly files: ReadonlyMap<string, Buffer>;
}

const isText = (file: string) => /\.(?:js|css|html)$/.test(file);
const isCompressed = (file: string) => /\.(?:br|gz)$/.test(file);

const describeFile = (content: Buffer) => ({
  integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
  size: content.length,
});

/** Reads what a remote's build has left in its dist folder, without the compressed siblings of its files. */
export function readBuiltRelease(remote: string, repository = root): ReleaseVariant {
  const folder = path.join(repository, remote, 'dist');
  const release = releaseSchema.parse(JSON.parse(readFileSync(path.join(folder, releaseFileName), 'utf8')));
  const files = Object.fromEntries(Object.entries(release.files).filter(([name]) => !isCompressed(name)));
  const contents = Object.keys(files).map((name) => [name, readFileSync(path.join(folder, name))] as const);
  return { release: { ...release, files }, files: new Map(contents) };
}

/**
 * The same release under another version, as a build of changed sources would make it: the version is part of
 * the names that its code goes by.
 *
 * @param edit changes the content of a script, style or fragment
 */
export function variantOf(
  { release, files }: ReleaseVariant,
  version: string,
  edit: (content: string, file: string) => string = (content) => content,
): ReleaseVariant {
  const changed = new Map(
    [...files].map(([name, content]) => {
      if (!isText(name)) return [name, content];
      return [name, Buffer.from(edit(content.toString().replaceAll(release.version, version), name))];
    }),
  );
  return {
    release: {
      ...release,
      version,
      files: Object.fromEntries([...changed].map(([name, content]) => [name, describeFile(content)])),
    },
    files: changed,
  };
}

/** The nth version of a remote that a run makes. */
export const chaosVersion = (number: number) => `9.0.${number}-${number.toString(16).padStart(8, '0')}`;

/** A release whose entry is a hand-written federation container with these pages for all of its routes. */
export function handWritten({ release }: ReleaseVariant, version: string, page: string): ReleaseVariant {
  const entry = `remoteEntry.${version.slice(-8)}.js`;
  const paths = JSON.stringify(release.routes.map((route) => route.path));
  const source = `
    let react;
    globalThis[${JSON.stringify(`${release.name}@${version}`)}] = {
      init(scope) { const [shared] = Object.values(scope.react); react = shared.get(); },
      async get() {
        const React = (await react)();
        const page = async () => ({ default: ${page} });
        return () => ({ default: { name: ${JSON.stringify(release.name)}, routes: ${paths}.map((path) => ({ path, page })) } });
      },
    };`;
  const content = Buffer.from(source);
  return {
    release: {
      ...release,
      version,
      entry,
      routes: release.routes.map(({ fragment: _, ...route }) => ({ ...route, files: [] })),
      files: { [entry]: describeFile(content) },
    },
    files: new Map([[entry, content]]),
  };
}
