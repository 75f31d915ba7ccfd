/** @jest-environment node */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { guideFacts, madeFrom } from './guide-facts.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file));
const content = read('senior-savings-guide.pdf');
const markdown = read('../../guide/senior-savings-guide.md').toString();

let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
/** The text of each page, without any white space. */
let pages: string[];

type Page = Awaited<ReturnType<typeof pdf.getPage>>;
const allPages = <Value>(each: (page: Page) => Promise<Value>) =>
  Promise.all(Array.from({ length: pdf.numPages }, async (_, index) => each(await pdf.getPage(index + 1))));

beforeAll(async () => {
  pdf = await getDocumentProxy(new Uint8Array(content));
  pages = await allPages(async (page) => {
    const { items } = await page.getTextContent();
    return items.map((item) => ('str' in item ? item.str.replaceAll(/\s/g, '') : '')).join('');
  });
});

test('the PDF was made from the present Markdown and layout', () => {
  const sources = createHash('sha256').update(markdown).update(read('../../guide/guide.typ')).digest('hex');
  // If not: npm ci && npm run make in mf-offers/guide.
  expect(madeFrom).toBe(sources);
});

test('the PDF has the pages and the size that the download page states', () => {
  expect(guideFacts).toMatchObject({ pages: pdf.numPages, bytes: content.length, title: 'The Senior Savings Guide' });
  for (const [index, text] of pages.entries()) if (index > 0) expect(text).toContain(`DaybookSilver${index + 1}`);
  expect(content.length).toBeLessThan(400_000);
});

test('the PDF contains every word of the Markdown', () => {
  const words = markdown
    .replaceAll(/\]\([^)]*\)|^\s*(?:[->#|]|\d+\.)+|\[ \]|[|*[]|---:?/gm, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = pages.join('');
  expect(words.length).toBeGreaterThan(2000);
  expect(words.filter((word) => !text.includes(word))).toEqual([]);
});

test('the PDF is tagged for screen readers, with title, language and date', async () => {
  expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  expect((await pdf.getMetadata()).info).toMatchObject({
    Title: 'The Senior Savings Guide',
    Author: 'Daybook Silver',
    Language: 'en-US',
    CreationDate: expect.stringMatching(/^D:20250520/),
  });
  expect(await pdf.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
  const tree = JSON.stringify(await allPages((page) => page.getStructTree()));
  for (const role of ['H1', 'H2', 'P', 'TOC', 'LI', 'TH', 'Link']) expect(tree).toContain(`"role":"${role}"`);
});
