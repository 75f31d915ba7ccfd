import { valueToEstree } from 'estree-util-value-to-estree';
import { toString as textOf } from 'hast-util-to-string';

type HtmlNode = Parameters<typeof textOf>[0] & {
  readonly tagName?: string;
  readonly properties?: { readonly id?: unknown };
  readonly children?: unknown[];
};

/**
 * Adds `export const headings` to the module that MDX compiles from a Markdown file: its second-level headings in
 * order, each with `id` and `text`, for a table of contents. Must run after `rehype-slug`, which sets the ids.
 */
export function rehypeHeadings() {
  return (tree: HtmlNode): void => {
    const headings = ((tree.children ?? []) as HtmlNode[])
      .filter(({ tagName }) => tagName === 'h2')
      .map((heading) => ({ id: String(heading.properties?.id), text: textOf(heading) }));
    tree.children?.unshift(exportOf('headings', headings));
  };
}

/** Returns `export const <name> = <value>` in the form that MDX accepts: a node with the code's syntax tree. */
function exportOf(name: string, value: unknown): object {
  const declaration = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id: { type: 'Identifier', name }, init: valueToEstree(value) }],
  };
  const body = [{ type: 'ExportNamedDeclaration', declaration, specifiers: [], attributes: [], source: null }];
  return {
    type: 'mdxjsEsm',
    value: '',
    data: { estree: { type: 'Program', sourceType: 'module', body, comments: [] } },
  };
}
