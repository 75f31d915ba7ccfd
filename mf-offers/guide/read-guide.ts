import type { ListItem as ListItemNode, Nodes, PhrasingContent, RootContent, Table as TableNode } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Block, Chapter, GuideText, ListItem, RichText, Span, Table } from './guide-text.ts';
import { linkContacts } from './link-contacts.ts';

/** Something in a guide's Markdown that the PDF has no form for; the message names the line. */
export class GuideError extends Error {
  override readonly name = 'GuideError';

  constructor(node: Nodes, problem: string) {
    super(`Line ${node.position?.start.line ?? '?'} of the guide: ${problem}`);
  }
}

/**
 * Reads a guide's Markdown: `#` is the title, the paragraph below it the subtitle, each `##` a chapter, `###` a
 * heading in it, `>` a callout, `- [ ]` a box to tick; a chapter after `---` has a page of its own.
 *
 * @throws GuideError on anything else that has no form in the PDF
 */
export function readGuide(markdown: string): GuideText {
  const { children } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const [title, subtitle, ...rest] = children;
  if (title?.type !== 'heading' || title.depth !== 1 || subtitle?.type !== 'paragraph') {
    throw new GuideError(title ?? { type: 'root', children }, 'it begins with a # title and a paragraph as subtitle.');
  }
  const chapters: { title: string; ownPage: boolean; blocks: Block[] }[] = [];
  for (const [index, node] of rest.entries()) {
    if (node.type === 'thematicBreak') continue;
    if (node.type === 'heading' && node.depth === 2) {
      const ownPage = index === 0 || rest[index - 1]?.type === 'thematicBreak';
      chapters.push({ title: plain(node.children), ownPage, blocks: [] });
    } else if (chapters.length === 0) throw new GuideError(node, 'text stands in a chapter, which begins with ##.');
    else chapters.at(-1)?.blocks.push(blockOf(node));
  }
  return { title: plain(title.children), subtitle: plain(subtitle.children), chapters: chapters satisfies Chapter[] };
}

function blockOf(node: RootContent): Block {
  switch (node.type) {
    case 'heading':
      if (node.depth === 3) return { kind: 'heading', text: plain(node.children) };
      throw new GuideError(node, 'headings in a chapter have three #.');
    case 'paragraph':
      return { kind: 'paragraph', text: richText(node.children) };
    case 'list':
      return { kind: 'list', ordered: node.ordered === true, items: node.children.map(listItem) };
    case 'blockquote':
      return { kind: 'callout', text: onlyParagraph(node, node.children) };
    case 'table':
      return table(node);
    default:
      throw new GuideError(node, `the PDF has no form for “${node.type}”.`);
  }
}

const listItem = (node: ListItemNode): ListItem => ({
  text: onlyParagraph(node, node.children),
  box: typeof node.checked === 'boolean',
});

function onlyParagraph(node: Nodes, children: readonly RootContent[]): RichText {
  const [only, ...others] = children;
  if (only?.type === 'paragraph' && others.length === 0) return richText(only.children);
  throw new GuideError(node, 'list items and callouts hold one paragraph.');
}

function table({ align, children }: TableNode): Table {
  const [head = [], ...rows] = children.map((row) => row.children.map((cell) => richText(cell.children)));
  return {
    kind: 'table',
    head,
    rows,
    align: head.map((_, column) => (align?.[column] === 'right' ? 'right' : 'left')),
  };
}

function richText(nodes: readonly PhrasingContent[], style: Span['style'] = 'regular', link?: string): RichText {
  return nodes.flatMap((node): RichText => {
    if (node.type === 'text') return linkContacts({ text: node.value.replace(/\s+/g, ' '), style, link });
    if (node.type === 'strong') return richText(node.children, 'strong', link);
    if (node.type === 'emphasis') return richText(node.children, 'emphasis', link);
    if (node.type === 'link') return richText(node.children, style, node.url);
    throw new GuideError(node, `the PDF has no form for “${node.type}” in a paragraph.`);
  });
}

const plain = (nodes: readonly PhrasingContent[]) =>
  richText(nodes)
    .map(({ text }) => text)
    .join('');
