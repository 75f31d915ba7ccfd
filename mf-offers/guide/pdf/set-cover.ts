import type { GuideText } from '../guide-text.ts';
import { topicsOf } from '../guide-text.ts';
import { colors, page } from './look.ts';
import { breakLines, drawLine } from './rich-lines.ts';
import type { Sheet } from './sheet.ts';

const titleType = { font: 'heading', size: 64, leading: 66 } as const;
const subtitleType = { font: 'regular', size: 21, leading: 29 } as const;
const topicType = { font: 'regular', size: 14, leading: 30 } as const;

/** The double rule over which the day rises. */
const horizon = 608;

/** The cover: the ledger's own, with the day of the publication's mark over its first double rule. */
export function setCover(sheet: Sheet, guide: GuideText, brand: string): void {
  sheet.begin(() => drawBoards(sheet));
  const cover = sheet.element(sheet.structure, 'Sect');
  const name = sheet.element(cover, 'P');
  name.add(() => sheet.write(brand, page.left + 40, 92, { font: 'heading', size: 24 }, colors.coverInk));
  name.end();

  const title = sheet.element(cover, 'H1');
  let y = 218;
  for (const line of breakLines(sheet, [{ text: guide.title, style: 'regular' }], titleType, page.right - page.left)) {
    drawLine(sheet, title, line, titleType, { x: page.left - 2, y, color: colors.coverInk });
    y += titleType.leading;
  }
  title.end();

  const subtitle = sheet.element(cover, 'P');
  y += 4;
  for (const line of breakLines(sheet, [{ text: guide.subtitle, style: 'regular' }], subtitleType, 276)) {
    drawLine(sheet, subtitle, line, subtitleType, { x: page.left, y, color: colors.coverMuted });
    y += subtitleType.leading;
  }
  subtitle.end();

  const topics = topicsOf(guide);
  const perColumn = Math.ceil(topics.length / 2);
  const list = sheet.element(cover, 'L');
  for (const [index, topic] of topics.entries()) {
    const x = index < perColumn ? page.left : 330;
    const line = [{ text: topic, style: 'regular' as const }];
    const item = sheet.element(list, 'LI');
    const body = sheet.element(item, 'LBody');
    drawLine(sheet, body, line, topicType, { x, y: horizon + 24 + (index % perColumn) * 30, color: colors.coverInk });
    body.end();
    item.end();
  }
  list.end();
  cover.end();
}

function drawBoards(sheet: Sheet): void {
  const { document } = sheet;
  document.rect(0, 0, page.width, page.height).fillColor(colors.cover).fill();
  document
    .path(`M ${page.right - 236} ${horizon} a 118 118 0 0 1 236 0 Z`)
    .fillColor(colors.day)
    .fill();
  for (let y = horizon + 34; y < page.height; y += 30) sheet.rule(0, y, page.width, y, colors.coverRule);
  sheet.doubleRule(0, page.width, horizon, colors.coverMargin);
  for (const x of [page.margin, page.margin + 3]) sheet.rule(x, 0, x, page.height, colors.coverMargin);
  drawMark(sheet);
}

/** The publication's mark: a double line and half a sun. */
function drawMark(sheet: Sheet): void {
  const { document } = sheet;
  document
    .rect(page.left, 71, 2.4, 24)
    .rect(page.left + 5, 71, 2.4, 24)
    .fillColor(colors.coverInk)
    .fill();
  document
    .path(`M ${page.left + 10} 71 a 12 12 0 0 1 0 24 Z`)
    .fillColor(colors.day)
    .fill();
}
