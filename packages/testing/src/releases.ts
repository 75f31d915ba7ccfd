import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { hashOfToken, integrityOf, newPreviewToken, previewFileName, signPreview } from '@daybook/releases';
import { buildFolder } from './workspaces.ts';

export { hashOfToken, integrityOf, newPreviewToken };

/** A release in memory, with the files that an origin serves. */
export interface ReleaseVariant {
  readonly release: Release;
  readonly files: ReadonlyMap<string, Buffer>;
}

const isText = (file: string) => /\.(?:js|css|html)$/.test(file);
const isCompressed = (file: string) => /\.(?:br|gz)$/.test(file);

/** A file as `release.json` describes it. */
export const describeFile = (content: Buffer) => ({ integrity: integrityOf(content), size: content.length });

/** Reads the `release.json` in a folder. */
const describedIn = (folder: string): Release =>
  releaseSchema.parse(JSON.parse(readFileSync(path.join(folder, releaseFileName), 'utf8')));

/** Returns the release of a remote's build, without the content of its files. */
export const builtRelease = (remote: string): Release => describedIn(buildFolder(remote));

/** Reads the release in a folder, without the compressed variants of its files. */
export function readRelease(folder: string): ReleaseVariant {
  const release = describedIn(folder);
  const files = Object.fromEntries(Object.entries(release.files).filter(([name]) => !isCompressed(name)));
  const contents = Object.keys(files).map((name) => [name, readFileSync(path.join(folder, name))] as const);
  return { release: { ...release, files }, files: new Map(contents) };
}

/** Reads the release that a remote's build made. */
export const readBuiltRelease = (remote: string): ReleaseVariant => readRelease(buildFolder(remote));

function writeFiles(folder: string, { files }: ReleaseVariant): void {
  for (const [name, content] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** Writes a release to a folder as a preview, signed with a new key; returns the token of its link. */
export async function writePreview(folder: string, variant: ReleaseVariant): Promise<string> {
  writeFiles(folder, variant);
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  const signer = { publicKey: x, sign: (text: string) => sign(null, Buffer.from(text), privateKey) };
  const token = newPreviewToken();
  const { release } = variant;
  const signed = await signPreview(JSON.stringify(release), release.name, hashOfToken(token), signer);
  writeFileSync(path.join(folder, previewFileName), signed);
  return token;
}

/** Writes a release to a folder in the layout of an origin. */
export function writeRelease(folder: string, { release, files }: ReleaseVariant): void {
  writeFiles(folder, { release, files });
  writeFileSync(path.join(folder, releaseFileName), JSON.stringify(release));
}

/** Copies a remote's build to a test's folder; returns its version. */
export function copyRelease(remote: string, folder: string): string {
  cpSync(buildFolder(remote), folder, { recursive: true });
  return describedIn(folder).version;
}

/**
 * Returns the release under another version, as a build of changed sources would produce it: code files are named
 * after the version.
 *
 * @param edit transforms the content of a script, style or fragment
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
  const descriptions = Object.fromEntries([...changed].map(([name, content]) => [name, describeFile(content)]));
  return { release: { ...release, version, files: descriptions }, files: changed };
}

/** Replaces the release in a folder with the same one under another version; if broken, its entry throws. */
export function writeNextRelease(folder: string, version: string, isBroken = false): void {
  const current = readRelease(folder);
  const { entry } = current.release;
  const edit = (content: string, file: string) =>
    isBroken && file === entry ? `throw new Error('The entry is broken.');\n${content}` : content;
  writeRelease(folder, variantOf(current, version, edit));
}

/**
 * Returns a hand-written remote entry in the form of a build's.
 *
 * @param page component of all pages: an expression in which `React` is the shell's
 */
export const handWrittenEntry = (name: string, version: string, paths: readonly string[], page: string): string => `
globalThis[${JSON.stringify(`${name}@${version}`)}] = (() => {
  let React;
  const Page = ${page};
  const page = async () => ({ default: Page });
  const definition = { name: ${JSON.stringify(name)}, routes: ${JSON.stringify(paths)}.map((path) => ({ path, page })) };
  return {
    init: async (scope) => { React = (await Object.values(scope.react)[0].get())(); },
    get: async () => () => ({ default: definition }),
  };
})();
`;

/** Returns a release with the routes of another one; its only file is a hand-written entry. */
export function handWritten({ release }: ReleaseVariant, version: string, page: string): ReleaseVariant {
  const entry = `remoteEntry.${version.slice(-8)}.js`;
  const paths = release.routes.map((route) => route.path);
  const content = Buffer.from(handWrittenEntry(release.name, version, paths, page));
  const routes = release.routes.map(({ fragment: _, ...route }) => ({ ...route, files: [] }));
  const files = { [entry]: describeFile(content) };
  return { release: { ...release, version, entry, routes, files }, files: new Map([[entry, content]]) };
}
