import { isGlance, type RichText, type Table } from '../guide-text.ts';
import { columnWidths } from './column-widths.ts';
import { baseline, colors, page, type Type, type } from './look.ts';
import { breakLines, drawLine, type Line, type LinePlace } from './rich-lines.ts';
import type { Sheet, Structure } from './sheet.ts';

const padding = { x: 14, y: 6 } as const;
/** High enough to write into with a pen. */
const blankRowHeight = 31;
const gapBelow = 18;

interface Column {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

interface Row {
  readonly cells: readonly (readonly Line[])[];
  readonly height: number;
}

/** Sets a table: ruled lines between its rows, a double line to close it, and its head again on each further page. */
export function setTable(sheet: Sheet, section: Structure, table: Table): void {
  const toFillIn = table.rows.some((cells) => cells.every((cell) => cell.length === 0));
  const columns = placeColumns(sheet, table, toFillIn);
  const head = layRow(sheet, table.head, columns, type.label);
  const rows = table.rows.map((cells) => layRow(sheet, cells, columns, type.cell));
  const element = sheet.element(section, 'Table');

  sheet.ensureRoom(head.height + rows.slice(0, 2).reduce((sum, { height }) => sum + height, 0) + gapBelow);
  let top = sheet.y;
  setRow(sheet, element, head, columns, 'head');
  for (const [index, row] of rows.entries()) {
    // The last row, often a total, is not left alone on a page.
    const follows = index === rows.length - 2 ? (rows.at(-1)?.height ?? 0) : 0;
    if (sheet.y + row.height + follows + 4 > page.bottom) {
      closeTable(sheet, columns, top, toFillIn);
      sheet.turn();
      top = sheet.y;
      setRow(sheet, undefined, head, columns, 'head');
    }
    const last = index === rows.length - 1;
    setRow(sheet, element, row, columns, isGlance(table) ? 'glance' : 'body', !last);
  }
  closeTable(sheet, columns, top, toFillIn);
  element.end();
  sheet.y += gapBelow;
}

function placeColumns(sheet: Sheet, { head, rows, align }: Table, toFillIn: boolean): readonly Column[] {
  const available = page.right - page.left - padding.x * (head.length - 1);
  const natural = head.map((cell, column) =>
    Math.max(...[cell, ...rows.map((row) => row[column] ?? [])].map((text) => naturalWidth(sheet, text)), 40),
  );
  let x: number = page.left;
  // To write into, every column is as wide as the next, and the first, which names things, twice as wide.
  const even = head.map((_, column) => (available * (column === 0 ? 2 : 1)) / (head.length + 1));
  return (toFillIn ? even : columnWidths(natural, available)).map((width, column) => {
    const placed = { x, width, align: align[column] ?? 'left' };
    x += width + padding.x;
    return placed;
  });
}

const naturalWidth = (sheet: Sheet, text: RichText) =>
  text.reduce((sum, span) => sum + sheet.widthOf(span.text, { font: 'strong', size: type.cell.size }), 2);

function layRow(sheet: Sheet, cells: readonly RichText[], columns: readonly Column[], size: Type): Row {
  const broken = cells.map((cell, index) => breakLines(sheet, cell, size, columns[index]?.width ?? 0));
  const lines = Math.max(...broken.map(({ length }) => length));
  return { cells: broken, height: lines === 0 ? blankRowHeight : lines * size.leading + 2 * padding.y };
}

/** Without an element the row is a repetition, which a screen reader skips. */
function setRow(
  sheet: Sheet,
  table: Structure | undefined,
  row: Row,
  columns: readonly Column[],
  kind: 'head' | 'body' | 'glance',
  ruled = true,
): void {
  const size = kind === 'head' ? type.label : type.cell;
  const top = sheet.y + padding.y + baseline(size);
  const element = table && sheet.element(table, 'TR');
  for (const [index, lines] of row.cells.entries()) {
    const column = columns[index];
    if (!column) continue;
    const isHead = kind === 'head' || (kind === 'glance' && index === 0);
    const cell = element && sheet.element(element, isHead ? 'TH' : 'TD', isHead ? scopeOf(kind) : {});
    const color = kind === 'head' ? colors.muted : isHead ? colors.accent : colors.ink;
    for (const [number, line] of lines.entries()) {
      const right = column.align === 'right' ? column.x + column.width : undefined;
      const place = { x: column.x, y: top + number * size.leading, right, color };
      const words = isHead ? line.map((span) => ({ ...span, style: 'strong' as const })) : line;
      if (cell) drawLine(sheet, cell, words, size, place);
      else sheet.decoration(() => repeatLine(sheet, words, size, place));
    }
    cell?.end();
  }
  element?.end();
  sheet.y += row.height;
  const y = sheet.y;
  if (ruled)
    sheet.decoration(() => sheet.rule(page.left, y, page.right, y, kind === 'head' ? colors.ruleStrong : colors.rule));
}

function repeatLine(sheet: Sheet, line: Line, size: Type, { x, y, right, color }: LinePlace): void {
  const text = line.map((span) => span.text).join('');
  if (right === undefined) sheet.write(text, x, y, size, color);
  else sheet.writeBefore(text, right, y, size, color);
}

const scopeOf = (kind: 'head' | 'body' | 'glance') => ({ scope: kind === 'head' ? 'Column' : 'Row' }) as const;

function closeTable(sheet: Sheet, columns: readonly Column[], top: number, toFillIn: boolean): void {
  sheet.decoration(() => {
    sheet.doubleRule(page.left, page.right, sheet.y, colors.accent);
    if (!toFillIn) return;
    for (const { x } of columns.slice(1)) sheet.rule(x - padding.x / 2, top, x - padding.x / 2, sheet.y, colors.rule);
  });
}
