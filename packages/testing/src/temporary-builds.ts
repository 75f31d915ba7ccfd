import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { fileEntry, writeRelease } from './builds.ts';
import { integrity } from './releases.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export const prerenderedShell: Omit<ShellManifest, 'version' | 'scripts' | 'styles'> = {
  frames: {
    site: { before: '<header>site</header><main>', after: '</main><footer>site</footer>' },
    privacy: { before: '<header>privacy</header><main>', after: '</main>' },
    bare: { before: '<main>', after: '</main>' },
  },
  files: {},
  inlineScripts: { first: '{first}', font: '{font}', later: '{later}', preload: '{preload}' },
  notFoundPage: '<main><h1>404</h1></main>',
  missingRemotesPage: '<main data-failed-remote="missing-remotes"><code>missing-remotes</code></main>',
};

export type TemporaryBuilds = ReturnType<typeof createTemporaryBuilds>;

/** Creates a shell build and folders for releases in a temporary folder. */
export function createTemporaryBuilds() {
  const folder = makeTemporaryFolder();
  const folderOf = (remote: string) => path.join(folder, remote);
  /** Writes or replaces a file by its path in the folder. */
  const write = (file: string, content: string | Buffer) => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
  };
  const style = Buffer.from('body {}');
  const manifest: ShellManifest = {
    version: '1.0.0-000000000001',
    scripts: [{ file: 'shell.0a1b2c3d.js', integrity }],
    styles: [{ file: 'shell.0a1b2c3d.css', integrity: fileEntry(style).integrity }],
    ...prerenderedShell,
  };
  write('shell/shell.0a1b2c3d.js', 'shell script');
  write('shell/shell.0a1b2c3d.css', style);
  write('shell/shell.json', JSON.stringify(manifest));
  return {
    folder,
    shellFolder: folderOf('shell'),
    folderOf,
    write,
    read: (remote: string, file: string) => readFileSync(path.join(folder, remote, file)),
    /** Writes a release whose files have this content; returns it with their integrity values and sizes. */
    release: (release: Release, text = 'content'): Release => {
      const content = Buffer.from(text);
      const files = new Map(Object.keys(release.files).map((file) => [file, content]));
      const entries = [...files.keys()].map((file) => [file, fileEntry(content)]);
      const whole = { ...release, files: Object.fromEntries(entries) };
      writeRelease(folderOf(release.name), { release: whole, files });
      return whole;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
