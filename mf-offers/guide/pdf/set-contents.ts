import { baseline, colors, page, type } from './look.ts';
import type { Sheet, Structure } from './sheet.ts';

export interface Entry {
  readonly number: number;
  readonly title: string;
  /** Page on which the chapter begins, from 1. */
  readonly page: number;
  readonly destination: string;
}

const rowHeight = 41;
const rowType = { font: 'regular', size: 15, leading: 20 } as const;

/** Fills the contents page, when it is known where the chapters begin. Each row leads to its chapter. */
export function setContents(sheet: Sheet, section: Structure, heading: string, entries: readonly Entry[]): void {
  const title = sheet.element(section, 'H2');
  title.add(() => sheet.write(heading, page.left, page.top + baseline(type.chapter), type.chapter));
  title.end();
  const list = sheet.element(section, 'TOC');
  let y = page.top + 76;
  for (const entry of entries) {
    const item = sheet.element(list, 'TOCI');
    const link = sheet.element(item, 'Link');
    const row = y;
    link.add(() => {
      sheet.writeBefore(`${entry.number}`, page.margin - 12, row, { font: 'heading', size: 16 }, colors.accent);
      sheet.write(entry.title, page.left, row, rowType);
      sheet.writeBefore(`${entry.page}`, page.right, row, { font: 'strong', size: 15 });
    });
    sheet.document.goTo(
      page.edge,
      y - 25,
      page.right - page.edge,
      rowHeight,
      entry.destination,
      sheet.linkOptions(link, `${entry.title}, page ${entry.page}`),
    );
    link.end();
    item.end();
    sheet.decoration(() => sheet.rule(page.edge, row + 15, page.right, row + 15, colors.rule));
    y += rowHeight;
  }
  list.end();
  sheet.decoration(() => sheet.doubleRule(page.edge, page.right, y - rowHeight + 15, colors.accent));
}
