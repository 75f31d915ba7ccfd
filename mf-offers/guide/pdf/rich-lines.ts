import type { RichText, Span } from '../guide-text.ts';
import { colors, type FontName, type Type } from './look.ts';
import type { Sheet, Structure } from './sheet.ts';

export type Line = readonly Span[];

/** In a face of one style, such as a heading's, every word is set in that face. */
const fontOf = (type: Type, style: Span['style']): FontName =>
  type.font === 'regular' && style !== 'regular' ? style : type.font;

const widthOf = (sheet: Sheet, type: Type, { text, style }: Span) =>
  sheet.widthOf(text, { font: fontOf(type, style), size: type.size });

/** Breaks a text into lines of at most so many points; it breaks at spaces alone, so telephone numbers stay whole. */
export function breakLines(sheet: Sheet, text: RichText, type: Type, width: number): readonly Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const word of wordsOf(text)) {
    const wordWidth = word.reduce((sum, span) => sum + widthOf(sheet, type, span), 0);
    const isSpace = word[0]?.text === ' ';
    if (used + wordWidth > width && used > 0) {
      trimEnd(lines.at(-1));
      lines.push([]);
      used = 0;
    }
    if (isSpace && used === 0) continue;
    for (const span of word) append(lines.at(-1) ?? [], span);
    used += wordWidth;
  }
  trimEnd(lines.at(-1));
  return lines.filter((line) => line.length > 0);
}

/** Words, and the spaces between them; a word may change its style halfway. */
function wordsOf(text: RichText): readonly Span[][] {
  const words: Span[][] = [];
  let open = false;
  for (const span of text) {
    for (const part of span.text.split(/( )/)) {
      if (part === '') continue;
      const piece = { ...span, text: part };
      if (part === ' ') words.push([piece]);
      else if (open) words.at(-1)?.push(piece);
      else words.push([piece]);
      open = part !== ' ';
    }
  }
  return words;
}

function append(line: Span[], span: Span): void {
  const last = line.at(-1);
  if (last?.style === span.style && last.link === span.link)
    line[line.length - 1] = { ...last, text: last.text + span.text };
  else line.push(span);
}

function trimEnd(line: Span[] | undefined): void {
  const last = line?.pop();
  const text = last?.text.trimEnd();
  if (last && text) line?.push({ ...last, text });
}

export interface LinePlace {
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  /** Where the line ends, for text that is set to the right. */
  readonly right?: number | undefined;
  readonly color?: string | undefined;
}

/** Draws a line into an element of the document's structure; its links can be pressed. */
export function drawLine(sheet: Sheet, element: Structure, line: Line, type: Type, place: LinePlace): void {
  const width = line.reduce((sum, span) => sum + widthOf(sheet, type, span), 0);
  let x = place.right === undefined ? place.x : place.right - width;
  for (const span of line) {
    const spanWidth = widthOf(sheet, type, span);
    const face = { font: fontOf(type, span.style), size: type.size };
    if (span.link === undefined) {
      const start = x;
      element.add(() => sheet.write(span.text, start, place.y, face, place.color));
    } else {
      drawLink(sheet, element, { ...span, link: span.link }, face, { x, y: place.y, width: spanWidth });
    }
    x += spanWidth;
  }
}

function drawLink(
  sheet: Sheet,
  parent: Structure,
  { text, link }: { readonly text: string; readonly link: string },
  face: { readonly font: FontName; readonly size: number },
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const element = sheet.element(parent, 'Link');
  element.add(() => sheet.write(text, x, y, face, colors.accent));
  sheet.document.link(x, y - face.size, width, face.size * 1.35, link, sheet.linkOptions(element, text));
  element.end();
}
