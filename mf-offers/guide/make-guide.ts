import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initSync, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import type { RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';

// Writes the guide's PDF and the facts that the download page states, which are committed: `npm ci` and then
// `npm run make` in this folder, after each change of the Markdown or the layout.

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const page = '../src/ebook-download/';

/** The Typst document with a guide's layout. */
const template = place('guide.typ');

const fileOf = (module: string) => readFile(fileURLToPath(import.meta.resolve(module)));

const fonts = [
  '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  '@expo-google-fonts/source-sans-3/400Regular_Italic/SourceSans3_400Regular_Italic.ttf',
  '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
  '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf',
];

interface Guide {
  readonly title: string;
  readonly subtitle: string;
  /** The chapters about one kind of help each, which start with a table "At a glance". */
  readonly topics: readonly string[];
  readonly pages: number;
  readonly content: Buffer;
}

interface Imprint {
  /** Printed on the cover and in the footer of each page. */
  readonly publisher: string;
  /** Date of the edition, `2025-05-20`. Also the date in the file, so that equal text gives equal bytes. */
  readonly date: string;
}

/**
 * Creates a PDF from a guide's Markdown: `#` is the title, the paragraph below it the subtitle, each `##` a chapter,
 * `###` a heading in it, `>` a callout, `- [ ]` a box to tick; a chapter after `---` begins on a new page.
 *
 * @throws Error on anything else; the message names the line
 */
async function makeGuide(markdown: string, { publisher, date }: Imprint): Promise<Guide> {
  const { children } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const [title, subtitle, first, ...rest] = children;
  if (title?.type !== 'heading' || title.depth !== 1 || subtitle?.type !== 'paragraph')
    throw new Error('Line 1 of the guide: it begins with a # title and a paragraph as subtitle.');
  if (first?.type !== 'heading' || first.depth !== 2)
    throw new Error(
      `Line ${first?.position?.start.line} of the guide: text stands in a chapter, which begins with ##.`,
    );
  const facts = { title: textOf(title), subtitle: textOf(subtitle), topics: topicsOf([first, ...rest]) };
  const [year, month, day] = date.split('-').map(Number);
  const guide = { ...facts, publisher, date: { year, month, day }, children: [first, ...rest] };
  return { ...facts, ...(await typeset(JSON.stringify(guide))) };
}

function topicsOf(nodes: readonly RootContent[]): Guide['topics'] {
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

async function typeset(guide: string): Promise<Pick<Guide, 'pages' | 'content'>> {
  const compiler = await createCompiler();
  compiler.add_source('/guide.typ', await readFile(template, 'utf8'));
  try {
    const { result } = compiler.compile('/guide.typ', [['guide', guide]], 'pdf', plainDiagnostics);
    const content = withDisplayedTitle(Buffer.from(result));
    return { content, pages: content.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0 };
  } catch (diagnostics) {
    const [, problem] = /panicked with: \\"(.*)\\"", trace/.exec(String(diagnostics)) ?? [];
    throw new Error(problem ?? `The guide can't be typeset: ${diagnostics}`);
  }
}

/**
 * Viewers show the title instead of the file's name. Typst sets that only in PDF/UA files, a standard that its
 * WebAssembly build lacks; a replacement of the same length preserves the offsets in the file.
 */
function withDisplayedTitle(pdf: Buffer): Buffer {
  const preferences = /(?<=\/ViewerPreferences <<)\s+\/Direction \/L2R\s+(?=>>)/;
  const displayTitle = (before: string) => ' /DisplayDocTitle true'.padEnd(before.length);
  return Buffer.from(pdf.toString('latin1').replace(preferences, displayTitle), 'latin1');
}

/** Typst's list of diagnostics, formatted as one text each. */
const plainDiagnostics = 1;

async function createCompiler() {
  initSync({ module: await fileOf('@myriaddreamin/typst-ts-web-compiler/wasm') });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const font of fonts) await builder.add_raw_font(await fileOf(font));
  return builder.build();
}

const markdown = await readFile(place('senior-savings-guide.md'), 'utf8');
const { content, ...facts } = await makeGuide(markdown, { publisher: 'Daybook Silver', date: '2025-05-20' });
const sources = createHash('sha256')
  .update(markdown)
  .update(await readFile(template))
  .digest('hex');
await writeFile(place(`${page}senior-savings-guide.pdf`), content);
await writeFile(
  place(`${page}guide-facts.ts`),
  `// Written by mf-offers/guide/make-guide.ts, like the PDF.

/** What the download page states of the guide, so that it is always true; \`bytes\` is the size of the PDF. */
export const guideFacts = ${JSON.stringify({ ...facts, bytes: content.length }, null, 2)};

/** SHA-256 of the guide's Markdown and layout, from which the PDF was made. */
export const madeFrom = '${sources}';
`,
);
