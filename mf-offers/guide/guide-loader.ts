import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoaderContext } from '@rspack/core';
import { type Imprint, makeGuide, template } from './make-guide.ts';

/**
 * Makes a PDF of a guide's Markdown and adds it to the build. The module exports the PDF's address and facts
 * (`GuideFile`), so that the page that offers it never names a wrong size.
 *
 * It works in `pitch`, before any other loader sees the file: the build's rule for Markdown, which makes a
 * React component of it, would come next.
 */
export async function pitch(this: LoaderContext<Imprint>): Promise<string> {
  for (const file of [this.resourcePath, template]) this.addDependency(file);
  const { content, ...facts } = await makeOnce(await readFile(this.resourcePath, 'utf8'), this.getOptions());
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const name = `${path.basename(this.resourcePath, '.md')}.${hash}.pdf`;
  this.emitFile(name, content);
  const file = JSON.stringify({ ...facts, bytes: content.length });
  return `export default { ...${file}, address: __webpack_public_path__ + ${JSON.stringify(name)} };`;
}

/** Never called: `pitch` returns the module. */
export default (): never => {
  throw new Error('The guide is made in pitch().');
};

/** Typesetting takes seconds, and the build for the browser and the one that prerenders both import the guide. */
let made: { readonly sources: string; readonly guide: ReturnType<typeof makeGuide> } | undefined;

async function makeOnce(markdown: string, imprint: Imprint): ReturnType<typeof makeGuide> {
  const sources = JSON.stringify([markdown, imprint, await readFile(template, 'utf8')]);
  if (made?.sources !== sources) made = { sources, guide: makeGuide(markdown, imprint) };
  return made.guide;
}
