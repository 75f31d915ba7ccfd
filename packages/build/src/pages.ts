import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { issueTexts } from '@daybook/contract/manifest';
import { releaseRouteSchema } from '@daybook/contract/release';
import type { PageRouteDefinition } from '@daybook/platform/page';

const pagesFolder = 'src/pages';

/** A file of `src/pages`, relative to the remote's folder, with the route that it exports. */
export interface Page {
  readonly file: string;
  readonly route: PageRouteDefinition;
}

/** The code formatter sets its first and last line. */
const routePattern = /^export const route = (\{.*?\}) satisfies PageRouteDefinition;$/ms;
const example =
  "export const route = { path: '/terms', title: '…', description: '…', frame: 'site' } satisfies PageRouteDefinition;";

const routeSchema = releaseRouteSchema.omit({ files: true, fragment: true, hash: true });

function readRoute(source: string): PageRouteDefinition {
  const [, literal] = routePattern.exec(source) ?? [];
  if (!literal) throw new Error(`has no route. Write: ${example}`);
  let value: unknown;
  try {
    value = new Script(`(${literal})`).runInNewContext();
  } catch (error) {
    throw new Error(`has a route that is no literal: ${error}. Write its values as text.`);
  }
  const { data, error } = routeSchema.safeParse(value);
  if (error) throw new Error(`has a wrong route: ${issueTexts(error, value).join('; ')}.`);
  return data as PageRouteDefinition;
}

/** Reads `src/pages/*.tsx` without running them; returns its pages, and a sentence for each file that can't be one. */
export function readPages(folder: string): { readonly pages: readonly Page[]; readonly errors: readonly string[] } {
  const files = readdirSync(path.join(folder, pagesFolder)).filter((file) => /^(?!.*\.spec\.).*\.tsx$/.test(file));
  const pages = new Map<string, Page>();
  const errors: string[] = [];
  for (const name of files.sort()) {
    const file = path.posix.join(pagesFolder, name);
    const fail = (problem: string) => errors.push(`${path.basename(folder)}/${file} ${problem}`);
    try {
      const route = readRoute(readFileSync(path.join(folder, file), 'utf8'));
      const other = pages.get(route.path);
      if (other) fail(`has the path ${route.path} of ${other.file}.`);
      else pages.set(route.path, { file, route });
    } catch (error) {
      fail((error as Error).message);
    }
  }
  return { pages: [...pages.values()], errors };
}

/** Loader for pages in the browser: unexported, the minifier drops what a page doesn't use of its route. */
export default (source: string): string => source.replace(routePattern, 'const route = $1;');
