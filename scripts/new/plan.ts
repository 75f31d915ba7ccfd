import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { releaseRouteSchema } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { remotes, root } from '@daybook/runner/workspaces';
import { CommandError, UsageError } from '@daybook/server/command-line';
import { insertRoute } from './insert-route.ts';
import { planMove } from './move-page.ts';
import { fillKind, kindOf } from './page-kinds.ts';
import type { Definitions, Plan } from './planned.ts';
import { type FileTexts, staleLists } from './remote-lists.ts';

/**
 * Imports the `src/remote.ts` of each remote.
 *
 * @throws CommandError naming the one that can't be imported
 */
export async function loadDefinitions(): Promise<Definitions> {
  const load = async (remote: string) => {
    const file = path.join(remote, 'src/remote.ts');
    const module = await import(path.join(root, file)).catch((error: Error) => {
      throw new CommandError(`${file} can't be imported: ${error.message}. Fix it first.`);
    });
    return [remote, module.default as RemoteDefinition] as const;
  };
  return new Map(await Promise.all(remotes.map(load)));
}

/** A remote that is real, type-checked and tested, except for its place and its names. */
const templateFolder = path.join(import.meta.dirname, 'template');

const templateFiles = readdirSync(templateFolder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\/(?:node_modules|build)(?:\/|$)/.test(entry.parentPath))
  .map((entry) => path.relative(templateFolder, path.join(entry.parentPath, entry.name)));

/** Returns the words of a name or path with a capital each. */
const capitalized = (text: string) =>
  text.split(/[-/]+/).flatMap((word) => (word ? [word.charAt(0).toUpperCase() + word.slice(1)] : []));

/** `/guides/tax-day` becomes `guides-tax-day`; the home page has no name of its own. */
const slugOf = (pagePath: string) => pagePath.slice(1).replaceAll('/', '-') || 'home';

/** Returns the template's files that `wanted` selects, with another remote's name and page. */
function fillTemplate(wanted: (file: string) => boolean, remote: string, pagePath: string): FileTexts {
  const title = capitalized(slugOf(pagePath)).join(' ');
  const component = `${capitalized(slugOf(pagePath)).join('')}Page`.replace(/^(?=\d)/, 'Page');
  const filled: Readonly<Record<string, string>> = {
    '../../../': '../',
    'mf-template': remote,
    '/template-page': `/${slugOf(pagePath)}-page`,
    '-template': remote.replace('mf', ''),
    'team template': `team ${remote.replace('mf-', '')}`,
    '/template': pagePath,
    TemplatePage: component,
    Template: title,
  };
  // In one pass: names may contain each other.
  const names = new RegExp(Object.keys(filled).join('|').replaceAll('.', '\\.'), 'g');
  const fill = (text: string) => text.replaceAll(names, (name) => filled[name] ?? name);
  return new Map(
    templateFiles
      .filter(wanted)
      .map((file) => [path.join(remote, fill(file)), fill(readFileSync(path.join(templateFolder, file), 'utf8'))]),
  );
}

/** @throws UsageError if the path is malformed, reserved, or already a page of the site */
function checkPath(pagePath: string, definitions: Definitions): void {
  const { error } = releaseRouteSchema.shape.path.safeParse(pagePath);
  if (error) throw new UsageError(`The path “${pagePath}” ${error.issues[0]?.message}. Choose another path.`);
  for (const [remote, { routes }] of definitions)
    if (routes.some((route) => route.path === pagePath))
      throw new UsageError(`The path “${pagePath}” is a page of ${remote} already. Choose another path.`);
}

/** At most 40 characters: the name is also that of images, containers and Kubernetes objects. */
const namePattern = /^mf-(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Plans a new remote with one page, and its entries in the lists of remotes.
 *
 * @param name with or without `mf-`
 * @param pagePath path of its page; default: its name
 * @throws UsageError for an invalid or taken name or path
 */
export function planRemote(name: string, pagePath: string | undefined, definitions: Definitions): Plan {
  const remote = name.startsWith('mf-') ? name : `mf-${name}`;
  if (!namePattern.test(remote)) {
    const form = 'at most 40 lower-case letters, digits and single hyphens, beginning with a letter, such as help';
    throw new UsageError(`The name “${name}” is not a remote's. Write ${form}.`);
  }
  if (remote === 'mf-template' || existsSync(path.join(root, remote)))
    throw new UsageError(`The name “${name}” is taken. Choose another name.`);
  const page = pagePath ?? `/${remote.replace('mf-', '')}`;
  checkPath(page, definitions);
  const changed = staleLists([...remotes, remote].sort());
  return { remote, page, created: fillTemplate(() => true, remote, page), changed };
}

/** What kind of page is wanted. */
export interface PageOptions {
  /** A text in Markdown. */
  readonly text?: boolean | undefined;
  /** A page that another remote has. */
  readonly move?: boolean | undefined;
}

/**
 * Plans a new page of a remote: its files, route and budget.
 *
 * @throws UsageError for an unknown remote, an invalid or taken path, or a kind of page that the remote does not have
 */
export function planPage(
  remote: string,
  pagePath: string,
  definitions: Definitions,
  { text = false, move = false }: PageOptions = {},
): Plan {
  if (!definitions.has(remote))
    throw new UsageError(`There is no remote “${remote}”; there are ${[...definitions.keys()].join(', ')}.`);
  if (move) return planMove(remote, pagePath, definitions);
  checkPath(pagePath, definitions);
  const kind = kindOf(remote, pagePath, text);
  const title = capitalized(slugOf(kind ? pagePath.slice(kind.below.length - 1) : pagePath)).join(' ');
  const today = new Date().toISOString().slice(0, 10);
  const filled = kind && fillKind(kind, { path: pagePath, title, today });
  const created = filled?.created ?? fillTemplate((file) => file.startsWith('src/pages/'), remote, pagePath);
  const existing = [...created.keys()].find((file) => existsSync(path.join(root, file)));
  if (existing) throw new UsageError(`${existing} exists already. Choose another path.`);
  const [source, manifest] = [path.join(remote, 'src/remote.ts'), path.join(remote, 'package.json')];
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const [plain = ''] = fillTemplate((file) => file === 'src/remote.ts', remote, pagePath).values();
  const changed = new Map([
    [source, insertRoute(read(source), filled?.route ?? plain, source)],
    [manifest, withBudget(read(manifest), pagePath, kind?.budget)],
  ]);
  return { remote, page: pagePath, created, changed };
}

/** Adds a budget for a page to a package.json: by default that of the template's page. */
function withBudget(text: string, pagePath: string, bytes?: number): string {
  const { budget } = JSON.parse(readFileSync(path.join(templateFolder, 'package.json'), 'utf8'));
  const manifest = JSON.parse(text);
  manifest.budget = { ...manifest.budget, [pagePath]: bytes ?? budget['/template'] };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
