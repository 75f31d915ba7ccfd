import { pageDataElementId, pageElementId } from '@daybook/contract/page';
import {
  defaultTreeAdapter as adapter,
  type DefaultTreeAdapterTypes,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';

/** Far above any readable page: characters, elements, nesting depth, attributes of one element. */
const fragmentLimits = { length: 1_000_000, elements: 20_000, depth: 256, attributes: 100 } as const;

/** Thrown when a fragment can't become part of a document, with the reason as its message. */
export class FragmentError extends Error {
  override readonly name = 'FragmentError';
}

/** Ids by which the shell finds its root, the page data and the content. */
const shellIds = new Set([pageElementId, pageDataElementId, 'main']);

/** Elements without an end tag. */
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Elements that run or load content, belong to the document only, or hold raw text up to their own end tag. */
const rejectedElements = new Set(
  `html head body base title meta link script style template iframe frame frameset object embed slot
   xmp plaintext noembed noframes`.split(/\s+/),
);

/**
 * Parses a prerendered page as a browser would inside the document, and rejects what a parser moves, drops, closes or
 * adds: the page would break out of its place or differ from what React hydrates. Scripts, inline styles and event
 * handlers are rejected too; the shell's security policy blocks hostile scripts.
 *
 * Parsing can be slow, so the shell server calls it in a worker.
 *
 * @param html at most 1,000,000 characters
 * @returns the parsed tree, serialized
 * @throws FragmentError
 */
export function checkFragment(html: string): string {
  if (html.length > fragmentLimits.length)
    throw new FragmentError(`it has more than ${fragmentLimits.length} characters`);
  const tree = parse(html, false);
  checkChildren(tree, html, 0, html.length, false);
  // Browsers that run scripts read the content of `noscript` as text; it has to end in the same place.
  if (/<noscript/i.test(html)) checkChildren(parse(html, true), html, 0, html.length, true);
  const checked = serialize(tree, { scriptingEnabled: false });
  // Not of the source: the parser drops null characters.
  if (checked.trim() === '') throw new FragmentError('it is empty');
  // Browsers drop a line break at the beginning of these elements, so the serialized form would lose it.
  if (
    /<(?:pre|textarea|listing)/i.test(checked) &&
    serialize(parse(checked, false), { scriptingEnabled: false }) !== checked
  )
    throw new FragmentError('it has <pre> or <textarea> that begins with a line break');
  return checked;
}

/** Stops at the limits instead of checking them afterward: parsing time also grows with the depth. */
function parse(html: string, scriptingEnabled: boolean): DefaultTreeAdapterTypes.DocumentFragment {
  let [elements, depth] = [0, 0];
  const treeAdapter: typeof adapter = {
    ...adapter,
    createElement(...parameters) {
      const [tagName, , attributes] = parameters;
      if (attributes.length > fragmentLimits.attributes)
        throw new FragmentError(`<${tagName}> has more than ${fragmentLimits.attributes} attributes`);
      elements += 1;
      if (elements > fragmentLimits.elements)
        throw new FragmentError(`it has more than ${fragmentLimits.elements} elements`);
      return adapter.createElement(...parameters);
    },
    onItemPush() {
      depth += 1;
      if (depth > fragmentLimits.depth)
        throw new FragmentError(`it has more than ${fragmentLimits.depth} elements inside one another`);
    },
    onItemPop() {
      depth -= 1;
    },
  };
  const place = adapter.createElement('div', names.NS.HTML, []);
  return parseFragment(place, html, { treeAdapter, scriptingEnabled, sourceCodeLocationInfo: true });
}

/** Checks that the nodes follow each other in the tree as they do in the text, with nothing between them. */
function checkChildren(
  parent: DefaultTreeAdapterTypes.ParentNode,
  html: string,
  start: number,
  end: number,
  scriptingEnabled: boolean,
): void {
  let at = start;
  const misplaced = () => new FragmentError(`${quote(html, at)} is not where it can be`);
  const isHtml = 'namespaceURI' in parent && parent.namespaceURI === names.NS.HTML;
  // Elements whose text may look like markup.
  const isRaw = isHtml && (parent.tagName === 'textarea' || (scriptingEnabled && parent.tagName === 'noscript'));
  for (const node of parent.childNodes) {
    const location = node.sourceCodeLocation;
    if (location?.startOffset !== at) throw misplaced();
    const source = html.slice(at, location.endOffset);
    if (adapter.isElementNode(node)) checkElement(node, html, scriptingEnabled);
    else if (adapter.isCommentNode(node) && !/^<!--.*-->$/s.test(source)) throw misplaced();
    // A text that the parser has joined over a tag which it moved or dropped.
    else if (adapter.isTextNode(node) && !isRaw && /<[a-z!/?]/i.test(source)) throw misplaced();
    at = location.endOffset;
  }
  if (at !== end) throw misplaced();
}

function checkElement(element: DefaultTreeAdapterTypes.Element, html: string, scriptingEnabled: boolean): void {
  const { tagName, namespaceURI, attrs, childNodes, sourceCodeLocation } = element;
  // SVG or MathML.
  const isForeign = namespaceURI !== names.NS.HTML;
  if (rejectedElements.has(tagName.toLowerCase()) && !(isForeign && tagName === 'title'))
    throw new FragmentError(`it has <${tagName}>`);
  if (attrs.some(({ name }) => /^(?:on.*|style)$/i.test(name)))
    throw new FragmentError(
      `<${tagName}> has an inline style or event handler, which the site's security policy ignores`,
    );
  const id = attrs.find(({ name }) => name === 'id')?.value;
  if (id !== undefined && shellIds.has(id))
    throw new FragmentError(`its id “${id}” is that of an element of the shell`);
  const { startTag, endTag, endOffset = 0 } = sourceCodeLocation ?? {};
  if (startTag && endTag) {
    checkChildren(element, html, startTag.endOffset, endTag.startOffset, scriptingEnabled);
    return;
  }
  const endsInItself = empty.has(tagName) || (isForeign && html.startsWith('/>', endOffset - 2));
  if (!endsInItself || childNodes.length > 0) throw new FragmentError(`<${tagName}> has no end`);
}

const quote = (html: string, at: number) => `“${html.slice(at, at + 40)}${html.length > at + 40 ? ' …' : ''}”`;
