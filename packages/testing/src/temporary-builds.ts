import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Release } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { fileEntry } from './builds.ts';
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
  const write = (file: string, content: string | Buffer) => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
  };
  const compressed = (file: string, content: string) => {
    if (file.endsWith('.br')) return brotliCompressSync(content);
    return file.endsWith('.gz') ? gzipSync(content) : content;
  };
  const style = Buffer.from('body {}');
  write('shell/shell.0a1b2c3d.js', 'shell script');
  write('shell/shell.0a1b2c3d.css', style);
  write('shell/unhashed.js', 'unhashed');
  write(
    'shell/shell.json',
    JSON.stringify({
      version: '1.0.0-000000000001',
      scripts: [{ file: 'shell.0a1b2c3d.js', integrity }],
      styles: [{ file: 'shell.0a1b2c3d.css', integrity: fileEntry(style).integrity }],
      ...prerenderedShell,
    } satisfies ShellManifest),
  );
  return {
    folder,
    shellFolder: path.join(folder, 'shell'),
    folderOf,
    /** Writes or replaces a file by its path in the folder. */
    write,
    read: (remote: string, file: string) => readFileSync(path.join(folder, remote, file)),
    /** Returns the release that was last written of a remote; `undefined` before. */
    released: (remote: string): Release | undefined => {
      const file = path.join(folder, remote, 'release.json');
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    },
    /** Writes a release, and its files with `content`; returns it with the real integrity values and sizes. */
    release: (release: Release, content = 'content'): Release => {
      const files = Object.keys(release.files).map((file) => [file, Buffer.from(compressed(file, content))] as const);
      for (const [file, bytes] of files) write(`${release.name}/${file}`, bytes);
      const whole = { ...release, files: Object.fromEntries(files.map(([file, bytes]) => [file, fileEntry(bytes)])) };
      write(`${release.name}/release.json`, JSON.stringify(whole));
      return whole;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
