import type { Block, ListItem, RichText } from '../guide-text.ts';
import { baseline, colors, page, type Type, type } from './look.ts';
import { breakLines, drawLine, type Line } from './rich-lines.ts';
import { setTable } from './set-table.ts';
import type { Sheet, Structure } from './sheet.ts';

const width = page.right - page.left;
const gap = { paragraph: 10, item: 5, heading: 20, callout: 16 } as const;

/** Sets the blocks of a chapter, one below the other, over as many pages as they need. */
export function setBlocks(sheet: Sheet, section: Structure, blocks: readonly Block[]): void {
  for (const [index, block] of blocks.entries()) {
    switch (block.kind) {
      case 'heading':
        setHeading(sheet, section, block.text);
        break;
      case 'paragraph':
        // The first paragraph of a chapter leads into it.
        setParagraph(sheet, section, block.text, index === 0 ? type.lead : type.body);
        break;
      case 'list':
        setList(sheet, section, block.items, block.ordered);
        break;
      case 'callout':
        setCallout(sheet, section, block.text);
        break;
      case 'table':
        setTable(sheet, section, block);
        break;
      default:
        block satisfies never;
    }
  }
}

function setHeading(sheet: Sheet, section: Structure, text: string): void {
  // Not at the foot of a page: some of what it is over comes with it.
  sheet.ensureRoom(gap.heading + type.heading.leading + 3 * type.body.leading);
  if (sheet.y > page.top) sheet.y += gap.heading - gap.paragraph;
  const heading = sheet.element(section, 'H3');
  for (const line of breakLines(sheet, [{ text, style: 'regular' }], type.heading, width)) {
    drawLine(sheet, heading, line, type.heading, { x: page.left, y: sheet.y + baseline(type.heading) });
    sheet.y += type.heading.leading;
  }
  heading.end();
  sheet.y += 6;
}

function setParagraph(sheet: Sheet, section: Structure, text: RichText, size: Type): void {
  const paragraph = sheet.element(section, 'P');
  setLines(sheet, paragraph, breakLines(sheet, text, size, width), size, page.left);
  paragraph.end();
  sheet.y += size === type.lead ? 16 : gap.paragraph;
}

/** Sets lines from the current place on; no line is left alone at the foot or the head of a page. */
function setLines(sheet: Sheet, element: Structure, lines: readonly Line[], size: Type, x: number): void {
  for (const [index, line] of lines.entries()) {
    sheet.ensureRoom(size.leading * linesToKeep(lines, index));
    drawLine(sheet, element, line, size, { x, y: sheet.y + baseline(size) });
    sheet.y += size.leading;
  }
}

/** How many lines stay on one page from this one on: the first two, the last two, so three all together. */
function linesToKeep({ length }: readonly Line[], index: number): number {
  if (index === 0) return length <= 3 ? length : 2;
  return index === length - 2 ? 2 : 1;
}

function setList(sheet: Sheet, section: Structure, items: readonly ListItem[], ordered: boolean): void {
  const indent = 24;
  const list = sheet.element(section, 'L');
  for (const [index, { text, box }] of items.entries()) {
    const lines = breakLines(sheet, text, type.body, width - indent);
    sheet.ensureRoom(type.body.leading * linesToKeep(lines, 0));
    const item = sheet.element(list, 'LI');
    const label = sheet.element(item, 'Lbl');
    const y = sheet.y + baseline(type.body);
    label.add(() => drawMark(sheet, y, box ? 'box' : ordered ? `${index + 1}` : 'point'));
    label.end();
    const body = sheet.element(item, 'LBody');
    setLines(sheet, body, lines, type.body, page.left + indent);
    body.end();
    item.end();
    sheet.y += box ? gap.item + 3 : gap.item;
  }
  list.end();
  sheet.y += gap.paragraph - gap.item;
}

function drawMark(sheet: Sheet, y: number, mark: string): void {
  const { document } = sheet;
  if (mark === 'box')
    document
      .rect(page.left + 0.5, y - 11.5, 13, 13)
      .lineWidth(1.1)
      .strokeColor(colors.muted)
      .stroke();
  else if (mark === 'point')
    document
      .rect(page.left + 2, y - 6.5, 5, 5)
      .fillColor(colors.accent)
      .fill();
  else sheet.write(mark, page.left, y, { font: 'heading', size: 15 }, colors.accent);
}

function setCallout(sheet: Sheet, section: Structure, text: RichText): void {
  const padding = { x: 20, y: 13 };
  const lines = breakLines(sheet, text, type.body, width - 2 * padding.x);
  const height = lines.length * type.body.leading + 2 * padding.y;
  sheet.ensureRoom(height + gap.callout);
  sheet.y += gap.callout - gap.paragraph;
  const top = sheet.y;
  sheet.decoration(() => {
    sheet.document.rect(page.left, top, width, height).fillColor(colors.wash).fill();
    for (const x of [page.left, page.left + 3]) sheet.rule(x, top, x, top + height, colors.accent, 1);
  });
  const callout = sheet.element(section, 'Sect');
  const paragraph = sheet.element(callout, 'P');
  for (const [index, line] of lines.entries()) {
    const y = top + padding.y + index * type.body.leading + baseline(type.body);
    drawLine(sheet, paragraph, line, type.body, { x: page.left + padding.x, y });
  }
  paragraph.end();
  callout.end();
  sheet.y = top + height + gap.callout;
}
