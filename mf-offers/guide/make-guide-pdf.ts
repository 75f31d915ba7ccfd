import { buffer } from 'node:stream/consumers';
import type { GuideText } from './guide-text.ts';
import { baseline, colors, page, type } from './pdf/look.ts';
import { breakLines, drawLine } from './pdf/rich-lines.ts';
import { setBlocks } from './pdf/set-blocks.ts';
import { type Entry, setContents } from './pdf/set-contents.ts';
import { setCover } from './pdf/set-cover.ts';
import { Sheet } from './pdf/sheet.ts';

/** A chapter begins below the one before where so many points are left, so that no page stays half empty. */
const roomForChapter = 330;

export interface GuideImprint {
  /** Who publishes it; on the cover and at the foot of each page. */
  readonly publisher: string;
  /** Date of the edition. */
  readonly date: Date;
}

export interface GuidePdf {
  readonly content: Buffer;
  readonly pages: number;
}

/** Sets a guide as a PDF: cover, contents, one chapter after another. Equal text gives equal bytes. */
export async function makeGuidePdf(guide: GuideText, { publisher, date }: GuideImprint): Promise<GuidePdf> {
  const sheet = new Sheet({ title: guide.title, subject: guide.subtitle, author: publisher, date });
  setCover(sheet, guide, publisher);
  sheet.document.outline.addItem('Cover');

  sheet.begin(() => drawFrame(sheet, guide.title, 'Contents', publisher));
  sheet.document.outline.addItem('Contents');
  const contents = sheet.element(sheet.structure, 'Sect');

  const entries: Entry[] = [];
  for (const [index, { title, ownPage, blocks }] of guide.chapters.entries()) {
    const frame = () => drawFrame(sheet, guide.title, title, publisher);
    if (ownPage || sheet.y + roomForChapter > page.bottom) sheet.begin(frame);
    else sheet.continueWith(frame);
    const entry = { number: index + 1, title, page: sheet.pageNumber, destination: `chapter-${index + 1}` };
    entries.push(entry);
    const section = sheet.element(sheet.structure, 'Sect');
    beginChapter(sheet, section, entry);
    setBlocks(sheet, section, blocks);
    section.end();
  }

  const pages = sheet.pageNumber;
  sheet.document.switchToPage(1);
  setContents(sheet, contents, 'What is inside', entries);
  contents.end();
  sheet.structure.end();
  sheet.document.end();
  return { content: await buffer(sheet.document), pages };
}

function beginChapter(sheet: Sheet, section: PDFKit.PDFStructureElement, { number, title, destination }: Entry): void {
  sheet.document.outline.addItem(title);
  sheet.document.addNamedDestination(destination, 'XYZ', 0, sheet.y - 24, null);
  const heading = sheet.element(section, 'H2');
  const lines = breakLines(sheet, [{ text: title, style: 'regular' }], type.chapter, page.right - page.left);
  for (const [index, line] of lines.entries()) {
    const y = sheet.y + baseline(type.chapter);
    if (index === 0) {
      sheet.decoration(() => sheet.writeBefore(`${number}`, page.margin - 12, y, type.chapter, colors.accent));
    }
    drawLine(sheet, heading, line, type.chapter, { x: page.left, y });
    sheet.y += type.chapter.leading;
  }
  heading.end();
  sheet.y += 12;
}

/** The lines of a ledger's page, the running head, and the page's number. */
function drawFrame(sheet: Sheet, title: string, chapter: string, publisher: string): void {
  sheet.write(title, page.left, 46, { ...type.running, font: 'strong' }, colors.muted);
  sheet.writeBefore(chapter, page.right, 46, type.running, colors.muted);
  sheet.rule(page.edge, 58, page.right, 58, colors.ruleStrong);
  for (const x of [page.margin, page.margin + 3]) sheet.rule(x, 58, x, 744, colors.margin);
  sheet.rule(page.edge, 744, page.right, 744, colors.ruleStrong);
  sheet.write(publisher, page.left, 763, type.running, colors.muted);
  sheet.writeBefore(`${sheet.pageNumber}`, page.right, 763, { font: 'strong', size: 13 });
}
