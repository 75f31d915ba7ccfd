import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPages } from '@daybook/build/pages';
import { releaseRouteSchema } from '@daybook/contract/release';
import { CommandError, UsageError } from '@daybook/server/command-line';
import { runQuietly } from '@daybook/testing/processes';
import { openTokens } from '@daybook/testing/tokens';
import { remotes, root } from '@daybook/testing/workspaces';
import { chosenRemote } from './chosen-remote.ts';
import { dataFolder, developIn, findLocalSite } from './local-site.ts';
import { type FileTexts, staleLists, writeFiles } from './new/remote-lists.ts';
import { runCommand } from './run-command.ts';

const templateFolder = path.join(import.meta.dirname, 'new/template');

const template: FileTexts = new Map(
  globSync('{*.*,src/**/*.*}', { cwd: templateFolder }).map((file) => [
    file,
    readFileSync(path.join(templateFolder, file), 'utf8'),
  ]),
);

/** A page of mf-legal: a text in Markdown, with its date. */
const textPage: FileTexts = new Map([
  [
    'content/template.md',
    `---
lastUpdated: ${new Date().toISOString().slice(0, 10)}
---

The purpose of this page in one or two sentences.

## A first section

Its text, in paragraphs, lists and tables.
`,
  ],
  [
    'src/pages/template.tsx',
    `import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/template.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/template',
  title: 'Template',
  description: 'Template: write here in a sentence what readers find on this page. Search engines show it.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
`,
  ],
]);

/** Writes a template's files with the names of a remote and its page; returns their paths. */
async function copy(files: FileTexts, remote: string, page: string): Promise<readonly string[]> {
  const { error } = releaseRouteSchema.shape.path.safeParse(page);
  if (error) throw new UsageError(`The path “${page}” ${error.issues[0]?.message}.`);
  const owner = remotes.find((name) => readPages(path.join(root, name)).pages.some(({ route }) => route.path === page));
  if (owner) throw new UsageError(`The path “${page}” is a page of ${owner} already.`);
  const slug = page.slice(1).replaceAll('/', '-') || 'home';
  const words = slug.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const names: Readonly<Record<string, string>> = {
    '../../../': '../',
    'mf-template': remote,
    '-template': remote.replace('mf', ''),
    './template': `./${slug}`,
    'pages/template': `pages/${slug}`,
    'content/template': `content/${slug}`,
    '/template': page,
    Template: words.join(' '),
  };
  // In one pass: names may contain each other.
  const pattern = new RegExp(Object.keys(names).join('|').replaceAll('.', '\\.'), 'g');
  const fill = (text: string) => text.replaceAll(pattern, (name) => names[name] ?? name);
  const copied = new Map(Array.from(files, ([file, text]) => [path.join(remote, fill(file)), fill(text)]));
  const existing = [...copied.keys()].find((file) => existsSync(path.join(root, file)));
  if (existing) throw new UsageError(`${existing} exists already.`);
  writeFiles(copied);
  // Line breaks depend on the length of names.
  const sources = [...copied.keys()].filter((file) => /\.tsx?$/.test(file));
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { code, output } = await runQuietly([biome, 'format', '--write', '--colors=off', ...sources]);
  if (code !== 0) throw new CommandError(output.trim());
  return [...copied.keys()];
}

function report(remote: string, written: Iterable<string>): void {
  const site = findLocalSite();
  console.log(`Wrote\n${Array.from(written, (file) => `  ${file}`).join('\n')}\n\nNext: write its texts, then`);
  console.log(`  ${site ? developIn(site, remote) : `npm run dev ${remote}`}        # shows it, and each change`);
  console.log(`  npm run release ${remote}    # checks and publishes it`);
}

/** `npm run new-page <remote> <path>`: copies the template's page and its test. */
export const newPage = (named: string, page: string): Promise<never> =>
  runCommand(async () => {
    const remote = chosenRemote(named, {}) ?? named;
    const files = new Map([...template].filter(([file]) => file.startsWith('src/pages/')));
    if (remote === 'mf-legal') {
      files.delete('src/pages/template.module.css');
      for (const [file, text] of textPage) files.set(file, text);
    }
    report(remote, await copy(files, remote, page));
  });

/** At most 40 characters: the name is also that of images, containers and Kubernetes objects. */
const namePattern = /^mf-(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** `npm run new-remote <name> [path]`: adds a remote with one page, and its entries in lists of remotes. */
export const newRemote = (name: string, page?: string): Promise<never> =>
  runCommand(async () => {
    const remote = name.startsWith('mf-') ? name : `mf-${name}`;
    if (!namePattern.test(remote) || remote === 'mf-template')
      throw new UsageError(
        `“${name}” is no name of a remote: write up to 40 letters, digits and hyphens, such as help.`,
      );
    if (existsSync(path.join(root, remote))) throw new UsageError(`${remote} exists already.`);
    const lists = staleLists([...remotes, remote].sort());
    const created = await copy(template, remote, page ?? remote.replace('mf-', '/'));
    writeFiles(lists);
    // Everything that it depends on is installed already.
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', install, { cwd: root, encoding: 'utf8' });
    if (status !== 0)
      throw new CommandError(`${stderr}\n\n${remote} is written, but npm install failed: run it again.`);
    report(remote, [...created, ...lists.keys(), 'package-lock.json']);
    // A running site reads its tokens again; npm start makes missing ones.
    if (findLocalSite()) openTokens(dataFolder, [remote]);
  });
