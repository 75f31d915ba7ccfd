import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoaderContext } from '@rspack/core';
import { type Imprint, makeGuide, template } from './make-guide.ts';

/**
 * Creates a PDF from a guide's Markdown and adds it to the build. The module exports the PDF's address and facts
 * (`GuideFile`), so that the download page always states the correct size.
 *
 * Works in `pitch`, before any other loader reads the file: the build's rule for Markdown, which creates a React
 * component from it, would be next.
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

/** Cached: typesetting takes seconds, and the browser build and the prerendering build both import the guide. */
let made: { readonly sources: string; readonly guide: ReturnType<typeof makeGuide> } | undefined;

async function makeOnce(markdown: string, imprint: Imprint): ReturnType<typeof makeGuide> {
  const sources = JSON.stringify([markdown, imprint, await readFile(template, 'utf8')]);
  if (made?.sources !== sources) made = { sources, guide: makeGuide(markdown, imprint) };
  return made.guide;
}
