import { CommandError } from '@daybook/server/command-line';
import { parseSync } from '@swc/core';

/** Returns the first value of the property `routes` in a syntax tree. */
function findRoutes(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  const { type, key, value } = node as { type?: unknown; key?: { value?: unknown }; value?: unknown };
  if (type === 'KeyValueProperty' && key?.value === 'routes') return value;
  for (const child of Object.values(node)) {
    const found = findRoutes(child);
    if (found) return found;
  }
  return undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Property {
  readonly key?: { readonly value?: unknown };
  readonly value?: { readonly value?: unknown };
}

interface RouteList {
  readonly type: string;
  readonly span: Span;
  readonly elements: readonly {
    readonly expression: { readonly span: Span; readonly properties?: readonly Property[] };
  }[];
}

/** @throws CommandError if the source has no list of routes */
function routeList(source: string, file: string): RouteList {
  const list = findRoutes(parseSync(source, { syntax: 'typescript', tsx: true, target: 'es2024' })) as RouteList;
  if (list?.type === 'ArrayExpression') return list;
  throw new CommandError(`${file} has no list “routes: […]” to change. Declare the route there by hand.`);
}

/** Splits the source of a remote at the end of its routes: text up to the last route, text after it, and `]` and the rest. */
function splitRoutes(source: string, file: string) {
  const list = routeList(source, file);
  const bytes = Buffer.from(source);
  // Spans of swc are byte positions that begin at 1.
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString();
  const end = list.span.end - 2;
  const [first, last] = [list.elements.at(0)?.expression.span, list.elements.at(-1)?.expression.span];
  const begin = last ? last.end - 1 : list.span.start;
  return {
    before: part(0, begin),
    after: part(begin, end),
    rest: part(end),
    routes: first && last ? part(first.start - 1, last.end - 1) : '',
  };
}

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/**
 * Adds the routes of one remote's source to the end of those of another one. All else stays as it is, comments
 * included; the formatter sets the line breaks.
 *
 * @param source text of the `src/remote.ts` to add to
 * @param added text of the `src/remote.ts` with the new routes
 * @param file name of the source in messages
 * @throws CommandError if the source has no list of routes
 */
export function insertRoute(source: string, added: string, file: string): string {
  const { before, after, rest, routes } = splitRoutes(source, file);
  const separator = !routes || after.replaceAll(comments, '').includes(',') ? '' : ',';
  return `${before}${separator}${after.trimEnd()}\n${splitRoutes(added, file).routes},\n${rest}`;
}

/** Splits the source of a remote around the route of a path. */
function splitAtRoute(source: string, page: string, file: string) {
  const isPath = ({ key, value }: Property) => key?.value === 'path' && value?.value === page;
  const found = routeList(source, file).elements.find(({ expression }) => expression.properties?.some(isPath));
  if (!found) throw new CommandError(`${file} has no route with the path '${page}' to change.`);
  const bytes = Buffer.from(source);
  const { start, end } = found.expression.span;
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString();
  return { before: part(0, start - 1), route: part(start - 1, end - 1), after: part(end - 1) };
}

/** Returns the text of the route of a path. */
export const routeText = (source: string, page: string, file: string): string => splitAtRoute(source, page, file).route;

/** Replaces the route of a path by another text. */
export function changeRoute(source: string, page: string, text: string, file: string): string {
  const { before, after } = splitAtRoute(source, page, file);
  return before + text + after;
}
