import { fileURLToPath } from 'node:url';

/** The faces of the site: Source Serif for headings, Source Sans for text. Files of their fonts. */
export const fonts = {
  regular: fileURLToPath(import.meta.resolve('@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff')),
  strong: fileURLToPath(import.meta.resolve('@fontsource/source-sans-3/files/source-sans-3-latin-600-normal.woff')),
  emphasis: fileURLToPath(import.meta.resolve('@fontsource/source-sans-3/files/source-sans-3-latin-400-italic.woff')),
  heading: fileURLToPath(import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff')),
} as const;
export type FontName = keyof typeof fonts;

/** The site's colors by day (packages/ui, tokens/color.css), on white paper. */
export const colors = {
  ink: '#12211b',
  muted: '#44544c',
  accent: '#0a6546',
  wash: '#eff5ee',
  rule: '#cfdccf',
  ruleStrong: '#9db2a2',
  margin: '#5f9f84',
  cover: '#0b3a2b',
  coverInk: '#fdfefc',
  coverMuted: '#bcd3c5',
  coverRule: '#265a48',
  coverMargin: '#5c8f7b',
  day: '#63cb9f',
} as const;

/** A type size and its line height, in points. */
export interface Type {
  readonly font: FontName;
  readonly size: number;
  readonly leading: number;
}

/** Large, since many readers of this guide want large type: all but the running heads is 13 pt or more. */
export const type = {
  body: { font: 'regular', size: 13.5, leading: 19 },
  lead: { font: 'regular', size: 16, leading: 22.5 },
  cell: { font: 'regular', size: 13, leading: 17.5 },
  label: { font: 'strong', size: 13, leading: 17 },
  running: { font: 'regular', size: 10.5, leading: 14 },
  heading: { font: 'heading', size: 18, leading: 23 },
  chapter: { font: 'heading', size: 31, leading: 35 },
} as const satisfies Record<string, Type>;

/** Where the baseline lies below the upper edge of its line. */
export const baseline = ({ size, leading }: Type) => (leading - size) / 2 + size * 0.8;

/** A US letter sheet, in points from its upper left corner. */
export const page = {
  width: 612,
  height: 792,
  /** The column of the chapter's number ends at a double rule, as a ledger's margin does. */
  edge: 48,
  margin: 94,
  left: 116,
  right: 564,
  top: 86,
  bottom: 728,
} as const;
