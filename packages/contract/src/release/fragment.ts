/** Larger than any page that a person reads; in characters. */
const longest = 1_000_000;

/** Elements without an end tag. */
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** What runs something, loads something whole, or is the document's alone. */
const refused = new Set(
  'html head body base title meta link script style template iframe frame object embed main slot'.split(' '),
);

const tokens = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][^\s/>]*)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|[<]/g;

/** Inside of a drawing `title` names it, and any element may end in itself. */
const drawing = 'svg';

/**
 * Looks a prerendered page over for what would let it break out of its place in the document, as a mistake would: it
 * says what is wrong, or `undefined`. What React writes passes; it is no check of hostile HTML, which the shell's
 * security policy keeps from running.
 */
export function fragmentProblem(html: string): string | undefined {
  if (html.trim() === '') return 'it is empty';
  if (html.length > longest) return `it has more than ${longest} characters`;
  const open: string[] = [];
  for (const [token, end, tag, attributes = '', selfClosing] of html.matchAll(tokens)) {
    if (token.startsWith('<!--')) continue;
    const name = tag?.toLowerCase();
    if (name === undefined) return `it has a < that begins no tag, after ${html.slice(0, 40)} …`;
    const inDrawing = open.includes(drawing);
    if (refused.has(name) && !(inDrawing && name === 'title')) return `it has <${token.slice(1, 40)}`;
    if (/\s(?:on\w+|style)\s*=/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""')))
      return `<${name}> has an inline style or event handler, which the site's security policy ignores`;
    if (end) {
      const opened = open.pop();
      if (opened !== name) return opened ? `</${name}> ends <${opened}>` : `</${name}> ends nothing`;
    } else if (!empty.has(name) && !(inDrawing && selfClosing)) open.push(name);
  }
  const left = open.at(-1);
  return left && `<${left}> has no end`;
}
