import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initSync, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import type { RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';

// Writes the guide's PDF and its facts, which are committed: run `npm ci` and `npm run make` in this folder after a change.
// In the Markdown, `#` is the title, the paragraph below it the subtitle, each `##` a chapter, `>` a callout, `- [ ]` a box
// to tick; a chapter after `---` begins on a new page.

const publisher = 'Daybook Silver';
/** Also the date in the file, so that equal text gives equal bytes. */
const date = { year: 2025, month: 5, day: 20 };

const page = '../src/ebook-download/';
const fonts = [
  '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  '@expo-google-fonts/source-sans-3/400Regular_Italic/SourceSans3_400Regular_Italic.ttf',
  '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
  '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf',
];

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const fileOf = (module: string) => readFile(fileURLToPath(import.meta.resolve(module)));

/** Returns the chapters about one kind of help each, which have a table "At a glance". */
function topicsIn(nodes: readonly RootContent[]): readonly string[] {
  const chapters: { title: string; isTopic: boolean }[] = [];
  for (const node of nodes) {
    const chapter = chapters.at(-1);
    if (node.type === 'heading' && node.depth === 2) chapters.push({ title: textOf(node), isTopic: false });
    else if (chapter && node.type === 'table') chapter.isTopic ||= isGlance(node);
  }
  return chapters.filter(({ isTopic }) => isTopic).map(({ title }) => title);
}

/** A table whose header is one label. */
function isGlance({ children: [head] }: Table): boolean {
  const [, ...others] = head?.children ?? [];
  return others.length > 0 && others.every(({ children }) => children.length === 0);
}

/** Viewers show the title instead of the file's name. Of the same length, to preserve the offsets in the file. */
function withDisplayedTitle(pdf: Buffer): Buffer {
  const preferences = /(?<=\/ViewerPreferences <<)\s+\/Direction \/L2R\s+(?=>>)/;
  const displayTitle = (before: string) => ' /DisplayDocTitle true'.padEnd(before.length);
  return Buffer.from(pdf.toString('latin1').replace(preferences, displayTitle), 'latin1');
}

const markdown = await readFile(place('senior-savings-guide.md'), 'utf8');
const layout = await readFile(place('guide.typ'), 'utf8');
const { children } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
const [title, subtitle, ...chapters] = children;
if (title?.type !== 'heading' || subtitle?.type !== 'paragraph' || chapters[0]?.type !== 'heading')
  throw new Error('The guide begins with a # title, a paragraph as subtitle, and a chapter, which begins with ##.');
const facts = { title: textOf(title), subtitle: textOf(subtitle), topics: topicsIn(chapters) };

initSync({ module: await fileOf('@myriaddreamin/typst-ts-web-compiler/wasm') });
const builder = new TypstCompilerBuilder();
builder.set_dummy_access_model();
for (const font of fonts) await builder.add_raw_font(await fileOf(font));
const compiler = await builder.build();
compiler.add_source('/guide.typ', layout);
const guide = JSON.stringify({ ...facts, publisher, date, children: chapters });
const plainDiagnostics = 1;
const { result } = compiler.compile('/guide.typ', [['guide', guide]], 'pdf', plainDiagnostics);
const content = withDisplayedTitle(Buffer.from(result));
const pages = content.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;

await writeFile(place(`${page}senior-savings-guide.pdf`), content);
await writeFile(
  place(`${page}guide-facts.ts`),
  `// Written by mf-offers/guide/make-guide.ts, like the PDF.

/** What the download page states of the guide; \`bytes\` is the size of the PDF. */
export const guideFacts = ${JSON.stringify({ ...facts, pages, bytes: content.length }, null, 2)};

/** SHA-256 of the guide's Markdown and layout, from which the PDF was made. */
export const madeFrom = '${createHash('sha256').update(markdown).update(layout).digest('hex')}';
`,
);
