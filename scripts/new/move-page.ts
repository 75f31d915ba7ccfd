import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { UsageError } from '@daybook/server/command-line';
import { changeRoute, insertRoute, routeText } from './insert-route.ts';
import type { Definitions, Plan } from './planned.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Writes a property into the text of a route: first, since a description may contain the text of any other one. */
const withProperty = (route: string, name: string, value: string) => route.replace('{', `{ ${name}: '${value}',`);

/**
 * Plans the move of a page: its route and its module go to another remote, with the stylesheet and test beside it. It stays
 * in the remote that has it until the other one has taken it over.
 *
 * @param remote the one that gets the page
 * @throws UsageError if no other remote has the page, or a file is in the way
 */
export function planMove(remote: string, page: string, definitions: Definitions): Plan {
  const owners = [...definitions].map(
    ([name, { routes }]) => [name, routes.find((each) => each.path === page)] as const,
  );
  const [owner, declared] = owners.find(([, route]) => route) ?? [];
  if (!owner || !declared) throw new UsageError(`The path “${page}” is no page of the site; --move needs one.`);
  if (owner === remote) throw new UsageError(`The path “${page}” is a page of ${remote} already.`);
  const [from, to] = [`${owner}/src/remote.ts`, `${remote}/src/remote.ts`];
  const route = routeText(read(from), page, from);
  const slug = page.slice(1).replaceAll('/', '-') || 'home';
  const base = path.basename(declared.page, '.tsx');
  const created = new Map<string, string>();
  for (const extension of ['.tsx', '.module.css', '.spec.tsx']) {
    const file = `${owner}/src/pages/${base}${extension}`;
    if (!existsSync(path.join(root, file))) continue;
    const target = `${remote}/src/pages/${slug}-page${extension}`;
    if (existsSync(path.join(root, target))) throw new UsageError(`${target} exists already. Move the page by hand.`);
    created.set(target, read(file).replaceAll(`'./${base}.`, `'./${slug}-page.`));
  }
  const there = withProperty(route.replace(declared.page, `./pages/${slug}-page.tsx`), 'takenFrom', owner);
  const budgets = [owner, remote].map((each) => JSON.parse(read(`${each}/package.json`)));
  const manifest = { ...budgets[1], budget: { ...budgets[1].budget, [page]: budgets[0].budget?.[page] } };
  return {
    remote,
    page,
    created,
    changed: new Map([
      [to, insertRoute(read(to), `export default { routes: [${there}] };`, to)],
      [from, changeRoute(read(from), page, withProperty(route, 'movesTo', remote), from)],
      [`${remote}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`],
    ]),
    next: [
      ...foreignImports(created),
      `release ${owner} first: it states that the page moves, and goes on serving it`,
      `then release ${remote}: from then on visitors get its page`,
      `then, at any time, delete the page in ${owner} with its route and budget, and release ${owner} once more`,
    ],
  };
}

/** Returns a line for each copied file that imports what was not copied. */
function foreignImports(created: ReadonlyMap<string, string>): readonly string[] {
  return [...created].flatMap(([file, text]) => {
    const imported = [...text.matchAll(/from '(\.[^']+)'|import '(\.[^']+)'/g)].map(
      ([, one, other]) => one ?? other ?? '',
    );
    const missing = imported.filter((each) => {
      const target = path.join(path.dirname(file), each);
      return !created.has(target) && !existsSync(path.join(root, target));
    });
    return missing.length > 0
      ? [`${file} imports ${missing.join(', ')}, which the page leaves behind: bring or replace it`]
      : [];
  });
}
