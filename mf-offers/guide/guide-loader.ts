import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoaderContext } from '@rspack/core';
import { topicsOf } from './guide-text.ts';
import { type GuideImprint, makeGuidePdf } from './make-guide-pdf.ts';
import { readGuide } from './read-guide.ts';

/**
 * Makes a PDF of a guide's Markdown and adds it to the build. The module says where the PDF is and what is in
 * it (`GuideFile`), so that the page that offers it never names a wrong size.
 *
 * It works in `pitch`, before any other loader sees the file: the build's rule for Markdown, which makes a
 * React component of it, would come next.
 */
export async function pitch(
  this: LoaderContext<{ readonly publisher: string; readonly date: string }>,
): Promise<string> {
  const { publisher, date } = this.getOptions();
  const imprint: GuideImprint = { publisher, date: new Date(date) };
  this.addDependency(this.resourcePath);
  const guide = readGuide(await readFile(this.resourcePath, 'utf8'));
  const { content, pages } = await makeGuidePdf(guide, imprint);
  const name = `${path.basename(this.resourcePath, '.md')}.${contentHash(content)}.pdf`;
  this.emitFile(name, content);
  const topics = topicsOf(guide);
  const firstTopicNumber = guide.chapters.findIndex(({ title }) => title === topics[0]) + 1;
  const { title, subtitle } = guide;
  const facts = { pages, bytes: content.length, title, subtitle, topics, firstTopicNumber };
  return `export default { address: __webpack_public_path__ + ${JSON.stringify(name)}, ...${JSON.stringify(facts)} };`;
}

/** Never called: `pitch` gives the module. */
export default (): never => {
  throw new Error('The guide is made in pitch().');
};

const contentHash = (content: Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 8);
