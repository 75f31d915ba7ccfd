import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';
import { apiNumber, type Release, releaseSchema } from '@daybook/contract/release';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rspack, type Stats } from '@rspack/core';
import { remote } from './remote.ts';

/** Creates a repository with what every build needs: lockfile, compiler settings, and our node_modules. */
function createWorkspace() {
  const root = mkdtempSync(path.join(tmpdir(), 'daybook-build-'));
  const ours = path.resolve(import.meta.dirname, '../../..');
  const write = (files: Readonly<Record<string, string | object>>) => {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  };
  symlinkSync(path.join(ours, 'node_modules'), path.join(root, 'node_modules'));
  cpSync(path.join(ours, 'tsconfig.base.json'), path.join(root, 'tsconfig.base.json'));
  write({ 'package.json': { name: 'temporary', private: true }, 'package-lock.json': { lockfileVersion: 3 } });
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}
type Workspace = ReturnType<typeof createWorkspace>;

const news = { path: '/news', title: 'News', description: 'What happened.', frame: 'site', noIndex: true } as const;

/** Text that is long enough to be compressed. */
const longText = 'The market opened, and in the evening it closed. '.repeat(40);

const newsFile = 'src/pages/news.tsx';
const routeOf = (route: object) => `export const route = ${JSON.stringify(route)} satisfies PageRouteDefinition;`;
const page = (markup: string, route: object = news) => `
import { useId, useState } from 'react';
${routeOf(route)}
export default function Page() { useState(); void useId; return ${markup}; }`;

const sources = (name: string, text = longText) => ({
  [`${name}/package.json`]: {
    name,
    version: '1.2.0',
    type: 'module',
    redirects: { '/old-news': '/news' },
    dependencies: { '@daybook/platform': '1.0.0', react: '19.3.1' },
  },
  [`${name}/${newsFile}`]: `
import styles from './news.module.css';
${routeOf(news)}
export default function NewsPage() { return <p className={styles.headline}>${text}</p>; }`,
  [`${name}/src/pages/news.module.css`]: '.headline { color: rebeccapurple; }',
  [`${name}/src/pages/news.spec.tsx`]: 'A test is no page.',
});

async function build({ root }: Workspace, name: string) {
  const compiler = rspack(remote(path.join(root, name))(undefined, {}));
  return new Promise<Stats>((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => (error || !stats ? reject(error) : resolve(stats)));
    });
  });
}

const errorsOf = (stats: Stats) => stats.toString({ all: false, errors: true });

/** Returns the content of every file of a build, by its path. */
function readBuild({ root }: Workspace, name: string): ReadonlyMap<string, Buffer> {
  const folder = path.join(root, name, 'build');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file)]),
  );
}

const releaseIn = (files: ReadonlyMap<string, Buffer>): Release =>
  releaseSchema.parse(JSON.parse(String(files.get('release.json'))));

const classNameIn = (files: ReadonlyMap<string, Buffer>) => {
  const css = [...files].find(([name]) => name.endsWith('.css'))?.[1];
  return /\.([^{]+)\{/.exec(String(css))?.[1];
};

async function buildFresh(text?: string, more: Readonly<Record<string, string>> = {}) {
  const workspace = createWorkspace();
  workspace.write({ ...sources('mf-news', text), ...more });
  await build(workspace, 'mf-news');
  const files = readBuild(workspace, 'mf-news');
  workspace.remove();
  return { files, release: releaseIn(files) };
}

describe('the release of a remote', () => {
  let first: Awaited<ReturnType<typeof buildFresh>>;
  beforeAll(async () => {
    first = await buildFresh();
  });

  test('states name, API, routes, redirects, and each file with size and SHA-384', () => {
    const { files, release } = first;
    const listed = [...files].filter(([name]) => !/^(?:release|sources)\.json$|\.map$/.test(name));
    expect(JSON.parse(String(files.get('release.json')))).toEqual({
      name: 'mf-news',
      version: expect.stringMatching(/^1\.2\.0-[0-9a-f]{12}$/),
      api: apiNumber,
      entry: expect.stringMatching(/^remoteEntry\.[0-9a-f]{12}\.js$/),
      routes: [
        {
          ...news,
          files: expect.any(Array),
          fragment: expect.any(String),
          hash: expect.stringMatching(/^[0-9a-f]{12}$/),
        },
      ],
      redirects: { '/old-news': '/news' },
      files: Object.fromEntries(
        listed.map(([name, content]) => [
          name,
          { integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`, size: content.length },
        ]),
      ),
    });
    expect(Object.keys(release.files)).toContain(release.entry);
    expect(new Set(release.routes[0]?.files.map((name) => path.extname(name)))).toEqual(new Set(['.js', '.css']));
    expect(release.routes[0]?.files).not.toContain(release.entry);
    const scripts = [...files].filter(([name]) => name.endsWith('.js'));
    expect(scripts.filter(([, content]) => String(content).includes(news.description))).toEqual([]);
  });

  test('contains each page as HTML with the class names of its style', () => {
    const { release, files } = first;
    const fragment = String(release.routes[0]?.fragment);
    expect(fragment).toMatch(/^fragments\/news\.[0-9a-f]{12}\.html$/);
    expect(String(files.get(fragment))).toBe(`<p class="${classNameIn(files)}">${longText}</p>`);
  });

  test('loads scripts and styles by verified elements of the shell only', () => {
    const entry = String(first.files.get(first.release.entry));
    const call = `globalThis\\.${verifiedElementName}`;
    expect(entry).toMatch(new RegExp(`${call}\\(document\\.createElement\\("script"\\),\\w\\)`));
    expect(entry).toMatch(new RegExp(`${call}\\((\\w),\\1\\.href\\)`));
    expect(entry.split('createElement("link")')).toHaveLength(2);
    expect(entry).not.toMatch(/\.src=/);
  });

  test('is the same from another folder', async () => {
    expect([...(await buildFresh()).files]).toEqual([...first.files]);
  });

  test('has another hash for a page that changed, and the same for others', async () => {
    const about = `${routeOf({ ...news, path: '/about' })}\nexport default function AboutPage() { return <p>About us</p>; }`;
    const more = { 'mf-news/src/pages/about.tsx': about };
    const builds = [await buildFresh(undefined, more), await buildFresh(`${longText} More.`, more)];
    const hashes = builds.map(({ release }) => new Map(release.routes.map(({ path: page, hash }) => [page, hash])));
    expect(hashes[0]?.get('/about')).toBe(hashes[1]?.get('/about'));
    expect(hashes[0]?.get('/news')).not.toBe(hashes[1]?.get('/news'));
    expect(builds[0]?.release.version).not.toBe(builds[1]?.release.version);
  });
});

describe('a build', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = createWorkspace();
  });
  afterAll(() => workspace.remove());

  const file = `mf-lost/${newsFile}`;
  test.each([
    [
      'has a copy of React',
      `import 'react/compiler-runtime';${page('<p>text</p>')}`,
      'mf-lost contains its own copy of react: hooks fail with two.',
    ],
    ['makes up an id', page('<p id={useId()}>text</p>'), `${file} has an id made by useId`],
    ['has a script', page('<p><script>alert(1)</script></p>'), `${file} has a script or style element`],
  ])('fails for a page that %s', async (_case, text, message) => {
    workspace.write({ ...sources('mf-lost'), [file]: text });
    expect(errorsOf(await build(workspace, 'mf-lost'))).toMatch(message);
  });

  test('that fails preserves the previous release', async () => {
    workspace.write(sources('mf-weather'));
    await build(workspace, 'mf-weather');
    const good = readBuild(workspace, 'mf-weather');
    workspace.write({ 'mf-weather/src/pages/news.tsx': `${routeOf(news)} export default <` });
    expect((await build(workspace, 'mf-weather')).hasErrors()).toBe(true);
    expect([...readBuild(workspace, 'mf-weather')]).toEqual([...good]);
  });
});
