import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { integrityOf } from '@daybook/contract/manifest';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { buildFolder } from './workspaces.ts';

export { integrityOf };

/** A release in memory, with its files. */
export interface ReleaseVariant {
  readonly release: Release;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** A file as `release.json` describes it. */
export const fileEntry = (content: Buffer) => ({ integrity: integrityOf(content), size: content.length });

const manifestIn = (folder: string): Release =>
  releaseSchema.parse(JSON.parse(readFileSync(path.join(folder, releaseFileName), 'utf8')));
export const builtRelease = (remote: string): Release => manifestIn(buildFolder(remote));

/** Reads the release in a folder, without the compressed variants of its files. */
export function readRelease(folder: string): ReleaseVariant {
  const release = manifestIn(folder);
  const files = Object.fromEntries(Object.entries(release.files).filter(([name]) => !/\.(?:br|gz)$/.test(name)));
  const contents = Object.keys(files).map((name) => [name, readFileSync(path.join(folder, name))] as const);
  return { release: { ...release, files }, files: new Map(contents) };
}

export const readBuiltRelease = (remote: string): ReleaseVariant => readRelease(buildFolder(remote));

/** Writes a release to a folder, like a build. */
export function writeRelease(folder: string, { release, files }: ReleaseVariant): void {
  for (const [name, content] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  writeFileSync(path.join(folder, releaseFileName), JSON.stringify(release));
}

/** Returns the release under another version; `edit` transforms the content of a script, style or fragment. */
export function variantOf(
  { release, files }: ReleaseVariant,
  version: string,
  edit: (content: string, file: string) => string = (content) => content,
): ReleaseVariant {
  const change = (content: Buffer, name: string) =>
    /\.(?:js|css|html)$/.test(name)
      ? Buffer.from(edit(content.toString().replaceAll(release.version, version), name))
      : content;
  const changed = new Map(Array.from(files, ([name, content]) => [name, change(content, name)] as const));
  const descriptions = Object.fromEntries([...changed].map(([name, content]) => [name, fileEntry(content)]));
  return { release: { ...release, version, files: descriptions }, files: changed };
}

/** Returns the release under another version, whose entry throws. */
export const brokenVariantOf = (variant: ReleaseVariant, version: string): ReleaseVariant =>
  variantOf(variant, version, (content, file) =>
    file === variant.release.entry ? `throw new Error('The entry is broken.');\n${content}` : content,
  );

/** Returns a hand-written remote entry; `page` is an expression of its component, in which `React` is the shell's. */
export const handWrittenEntry = (name: string, version: string, page: string): string => `
globalThis[${JSON.stringify(`${name}@${version}`)}] = (() => {
  let React;
  const Page = ${page};
  return {
    init: async (scope) => { React = (await Object.values(scope.react)[0].get())(); },
    get: async () => () => ({ default: Page }),
  };
})();
`;

/** Returns a release with the routes of another one; its only file is a hand-written entry. */
export function handWritten({ release }: ReleaseVariant, version: string, page: string): ReleaseVariant {
  const entry = `remoteEntry.${version.slice(-12)}.js`;
  const content = Buffer.from(handWrittenEntry(release.name, version, page));
  const routes = release.routes.map(({ fragment: _, ...route }) => ({ ...route, files: [] }));
  const files = { [entry]: fileEntry(content) };
  return { release: { ...release, version, entry, routes, files }, files: new Map([[entry, content]]) };
}
