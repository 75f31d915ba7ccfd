/** The part of a syntax tree of HTML that is of use here. */
interface HtmlNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: { readonly id?: unknown };
  readonly children?: HtmlNode[];
}

/** A heading of a Markdown file, as the module made from the file lists it in its export `headings`. */
export interface MarkdownHeading {
  readonly depth: 2;
  readonly id: string;
  readonly text: string;
}

/**
 * Adds `export const headings` to the module that MDX makes of a Markdown file: its second-level headings in
 * order, for a table of contents. The ids are those that `rehype-slug` set, so this plugin comes after it.
 */
export function rehypeHeadings() {
  return (tree: HtmlNode): void => {
    tree.children?.unshift(exportOf('headings', headingsIn(tree)));
  };
}

function headingsIn(tree: HtmlNode): MarkdownHeading[] {
  return (tree.children ?? [])
    .filter(({ tagName }) => tagName === 'h2')
    .map((heading) => ({ depth: 2, id: String(heading.properties?.id), text: textOf(heading) }));
}

function textOf({ value, children }: HtmlNode): string {
  return value ?? (children ?? []).map(textOf).join('');
}

/** `export const <name> = <value>`, in the form that MDX takes code in: a node with the code's syntax tree. */
function exportOf(name: string, value: MarkdownHeading[]): HtmlNode {
  const declaration = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id: { type: 'Identifier', name }, init: expressionOf(value) }],
  };
  const body = [{ type: 'ExportNamedDeclaration', declaration, specifiers: [], attributes: [], source: null }];
  const estree = { type: 'Program', sourceType: 'module', body, comments: [] };
  return { type: 'mdxjsEsm', value: '', data: { estree } } as HtmlNode;
}

function expressionOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'ArrayExpression', elements: value.map(expressionOf) };
  if (typeof value !== 'object' || value === null) return { type: 'Literal', value };
  return {
    type: 'ObjectExpression',
    properties: Object.entries(value).map(([key, part]) => ({
      type: 'Property',
      kind: 'init',
      key: { type: 'Identifier', name: key },
      value: expressionOf(part),
      method: false,
      shorthand: false,
      computed: false,
    })),
  };
}
