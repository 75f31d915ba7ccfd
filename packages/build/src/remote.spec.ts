import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';
import { contractVersion, type Release, releaseSchema } from '@daybook/contract/release';
import type { RemoteDefinition, RouteDefinition } from '@daybook/platform/define-remote';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rspack, type Stats } from '@rspack/core';
import { createTemporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.ts';
import { remote } from './remote.ts';

const news = { path: '/news', title: 'News', description: 'What happened.', frame: 'site', noIndex: true } as const;

/** Text that is long enough to be compressed. */
const longText = 'The market opened, and in the evening it closed. '.repeat(40);

const definition: RemoteDefinition = { routes: [{ ...news, page: './pages/news-page.tsx' }] };

const sources = (name: string, text = longText) => ({
  [`${name}/package.json`]: {
    name,
    version: '1.2.0',
    type: 'module',
    dependencies: { '@daybook/platform': '1.0.0', react: '19.3.1' },
  },
  [`${name}/src/pages/news-page.tsx`]: `
    import styles from './news-page.module.css';
    export default function NewsPage() { return <p className={styles.headline}>${text}</p>; }`,
  [`${name}/src/pages/news-page.module.css`]: '.headline { color: rebeccapurple; }',
});

interface BuildOptions {
  readonly mode?: 'production' | 'development';
  readonly declared?: RemoteDefinition;
}

async function build(
  { root }: TemporaryWorkspace,
  name: string,
  { mode = 'production', declared = definition }: BuildOptions = {},
) {
  const load = async () => ({ default: declared });
  const compiler = rspack(await remote(path.join(root, name), load)(undefined, { mode }));
  return new Promise<Stats>((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => (error || !stats ? reject(error) : resolve(stats)));
    });
  });
}

const errorsOf = (stats: Stats) => stats.toString({ all: false, errors: true });

/** Returns the content of every file of a build, by its path. */
function readBuild({ root }: TemporaryWorkspace, name: string): ReadonlyMap<string, Buffer> {
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

async function buildFresh(text?: string) {
  const workspace = createTemporaryWorkspace();
  workspace.write(sources('mf-news', text));
  const stats = await build(workspace, 'mf-news');
  const files = readBuild(workspace, 'mf-news');
  workspace.remove();
  return { stats, files, release: releaseIn(files) };
}

let first: Awaited<ReturnType<typeof buildFresh>>;
beforeAll(async () => {
  first = await buildFresh();
});

describe('the build of a remote', () => {
  test('describes name, contract, routes, and every file with its size and its SHA-384', () => {
    const { files, release } = first;
    const described = [...files].filter(([name]) => !/^(?:release|sources)\.json$|\.map$/.test(name));
    expect(JSON.parse(String(files.get('release.json')))).toEqual({
      name: 'mf-news',
      version: expect.stringMatching(/^1\.2\.0-[0-9a-f]{8}$/),
      contract: contractVersion,
      designSystem: null,
      entry: expect.stringMatching(/^remoteEntry\.[0-9a-f]{8}\.js$/),
      routes: [{ ...news, files: expect.any(Array), fragment: expect.any(String) }],
      uses: [],
      files: Object.fromEntries(
        described.map(([name, content]) => [
          name,
          { integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`, size: content.length },
        ]),
      ),
    });
    expect(Object.keys(release.files)).toContain(release.entry);
  });

  test('lists the scripts and styles of each page, and contains it as HTML with the class names of its style', () => {
    const { release, files } = first;
    const [route] = release.routes;
    expect(Object.keys(release.files)).toEqual(expect.arrayContaining(route?.files ?? []));
    expect(route?.files).not.toContain(release.entry);
    expect(new Set(route?.files.map((name) => path.extname(name)))).toEqual(new Set(['.js', '.css']));
    expect(route?.fragment).toMatch(/^fragments\/news\.[0-9a-f]{8}\.html$/);
    expect(String(files.get(String(route?.fragment)))).toBe(`<p class="${classNameIn(files)}">${longText}</p>`);
  });

  test('loads scripts and styles by verified elements of the shell only', () => {
    const entry = String(first.files.get(first.release.entry));
    const call = `globalThis\\.${verifiedElementName}`;
    expect(entry).toMatch(new RegExp(`${call}\\(document\\.createElement\\("script"\\),\\w\\)`));
    expect(entry).toMatch(new RegExp(`${call}\\((\\w),\\1\\.href\\)`));
    expect(entry.split('createElement("link")')).toHaveLength(2);
    expect(entry).not.toMatch(/\.src=/);
  });

  test('is reproducible in another folder, and has another version and entry after a change of the sources', async () => {
    expect([...(await buildFresh()).files]).toEqual([...first.files]);
    const { release } = await buildFresh(`${longText} More at eleven.`);
    expect(release.version).not.toBe(first.release.version);
    expect(release.entry).not.toBe(first.release.entry);
    // Also if only the HTML of a page differs.
    const [one, other] = [await buildFresh('{Math.random()}'), await buildFresh('{Math.random()}')];
    expect(one.release.version).not.toBe(other.release.version);
  });
});

describe('builds in one repository', () => {
  const workspace = createTemporaryWorkspace();
  afterAll(() => workspace.remove());

  test('have source maps in development, which the release does not list', async () => {
    workspace.write(sources('mf-maps'));
    await build(workspace, 'mf-maps', { mode: 'development' });
    const files = readBuild(workspace, 'mf-maps');
    expect([...files.keys()].some((name) => name.endsWith('.map'))).toBe(true);
    expect(Object.keys(releaseIn(files).files).filter((name) => name.endsWith('.map'))).toEqual([]);
  });

  test('load only chunks that are files: the order of chunks with nothing but shared modules depends on the folder', async () => {
    const page = (text: string) =>
      `import { useState } from 'react'; export default function Page() { useState(); return <p>${text}</p>; }`;
    const routes = [
      { ...news, path: '/news/today', page: './pages/one.tsx' },
      { ...news, path: '/news-today', page: './pages/two.tsx' },
    ] as const;
    workspace.write({
      ...sources('mf-shared'),
      'mf-shared/src/pages/one.tsx': page('One.'),
      'mf-shared/src/pages/two.tsx': page('Two.'),
    });
    await build(workspace, 'mf-shared', { declared: { routes } });
    const files = readBuild(workspace, 'mf-shared');
    const release = releaseIn(files);
    const entry = String(files.get(release.entry));
    expect(new Set(entry.match(/\.e\(\d+\)/g)).size).toBe(routes.length);
    // Equal but for the separators.
    expect(new Set(release.routes.map(({ fragment }) => fragment)).size).toBe(routes.length);
  });

  const page = (markup: string) => ({
    'mf-lost/src/pages/news-page.tsx': `import { useId } from 'react'; export default function NewsPage() { useId; return ${markup}; }`,
  });
  const ofPage = 'The page of the route /news of mf-lost ';
  test.each([
    [
      'a page that needs a browser',
      page('<p>{window.location.href}</p>'),
      `${ofPage}can't be rendered: ReferenceError: window is not defined (mf-lost/src/pages/news-page.tsx:1:87). It is rendered to HTML at build time, without a browser`,
    ],
    [
      'a page that throws an error of its own',
      page('<p>{(() => { throw new Error("No date."); })()}</p>'),
      new RegExp(`${ofPage}can't be rendered: Error: No date\\. \\(mf-lost/src/pages/news-page\\.tsx:1:\\d+\\)$`, 'm'),
    ],
    ['a page that makes up an id', page('<p id={useId()}>text</p>'), `${ofPage}has an id made by useId`],
    [
      'a page that has a script',
      page('<p><script>alert(1)</script></p>'),
      /The page of the route \/news of mf-lost .*it has <script>/,
    ],
  ])('%s fails the build, which names it', async (_case, changed, message) => {
    workspace.write({ ...sources('mf-lost'), ...changed });
    expect(errorsOf(await build(workspace, 'mf-lost'))).toMatch(message);
  });

  test.each<[string, Partial<RouteDefinition>, string]>([
    [
      'whose page is no file',
      { page: './pages/gone-page.tsx' },
      'The route /news of mf-lost has the page ./pages/gone-page.tsx, but there is no file mf-lost/src/pages/gone-page.tsx.',
    ],
    [
      'with an invalid field',
      { title: 'x'.repeat(201) },
      'mf-lost/src/remote.ts: routes[0] (/news).title must have 200 characters or fewer.',
    ],
  ])('a route %s fails the build, which names it', async (_what, changes, message) => {
    workspace.write(sources('mf-lost'));
    const declared = { routes: [{ ...news, page: './pages/news-page.tsx', ...changes } as const] };
    expect(errorsOf(await build(workspace, 'mf-lost', { declared }))).toContain(message);
  });

  test.each(['2026-02-30', 'soon', '20.5.2026', '2026-5-2', '2026-02-03T10:00', '', '"2025-13-01" # new'])(
    'a text with the date %s fails the build with file, line, and what a date looks like',
    async (date) => {
      workspace.write({
        ...sources('mf-lost'),
        'mf-lost/src/pages/news-page.tsx': "export { default } from '../../content/news.md';",
        'mf-lost/content/news.md': `---\ntitle: News\nlastUpdated: ${date}\n---\n\nAll is well.\n`,
      });
      const shown = date.replace(/^"(.*)".*$/, '$1');
      expect(errorsOf(await build(workspace, 'mf-lost'))).toContain(
        `mf-lost/content/news.md:3: “${shown}” is no date. Write year, month and day: lastUpdated: 2025-05-20`,
      );
    },
  );

  test.each(['2024-02-29', '"2025-05-20"', "'2025-05-20'  # Terms"])('a text may have the date %s', async (date) => {
    workspace.write({
      ...sources('mf-lost'),
      'mf-lost/src/pages/news-page.tsx': "export { default } from '../../content/news.md';",
      'mf-lost/content/news.md': `---\nlastUpdated: ${date}\n---\n\nAll is well.\n`,
    });
    expect(errorsOf(await build(workspace, 'mf-lost'))).toBe('');
  });

  test('a page references its images with the addresses of the browser build', async () => {
    workspace.write({
      ...sources('mf-lost'),
      'mf-lost/src/pages/sun.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'mf-lost/src/pages/news-page.tsx': `import sun from './sun.svg'; export default function NewsPage() { return <img src={sun} alt="" />; }`,
    });
    await build(workspace, 'mf-lost');
    const files = readBuild(workspace, 'mf-lost');
    const { version, routes } = releaseIn(files);
    const [, picture] = /<img src="([^"]+)" alt=""\/>$/.exec(String(files.get(String(routes[0]?.fragment)))) ?? [];
    expect(picture).toMatch(new RegExp(`^/remotes/mf-lost/${version}/sun\\.[0-9a-f]{8}\\.svg$`));
    expect([...files.keys()]).toContain(picture?.split('/').at(-1));
  });

  test('a failed build preserves the previous release', async () => {
    workspace.write(sources('mf-weather'));
    await build(workspace, 'mf-weather');
    const good = readBuild(workspace, 'mf-weather');
    // Equal class names are scoped to each remote.
    expect(classNameIn(good)).not.toBe(classNameIn(first.files));
    workspace.write({ 'mf-weather/src/pages/news-page.tsx': 'export default <' });
    expect((await build(workspace, 'mf-weather')).hasErrors()).toBe(true);
    expect([...readBuild(workspace, 'mf-weather')]).toEqual([...good]);
  });
});
