/** @jest-environment node */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { type Guide, makeGuide } from './make-guide.ts';

const imprint = { publisher: 'Daybook Silver', date: '2025-05-20' };
const markdown = readFileSync(path.join(import.meta.dirname, 'senior-savings-guide.md'), 'utf8');
const chapters = [...markdown.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);

let guide: Guide;
let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
/** The text of each page, without any white space. */
let pages: string[];

type Page = Awaited<ReturnType<typeof pdf.getPage>>;
const allPages = <Value>(each: (page: Page) => Promise<Value>) =>
  Promise.all(Array.from({ length: pdf.numPages }, async (_, index) => each(await pdf.getPage(index + 1))));

beforeAll(async () => {
  guide = await makeGuide(markdown, imprint);
  pdf = await getDocumentProxy(new Uint8Array(guide.content));
  pages = await allPages(async (page) => {
    const { items } = await page.getTextContent();
    return items.map((item) => ('str' in item ? item.str.replaceAll(/\s/g, '') : '')).join('');
  });
});

test('the PDF has numbered pages as the download page states, a small size, and the same bytes in each build', async () => {
  expect(guide.pages).toBe(pdf.numPages);
  expect(guide.pages).toBeGreaterThanOrEqual(8);
  for (const [index, text] of pages.entries()) if (index > 0) expect(text).toContain(`DaybookSilver${index + 1}`);
  expect(guide.content.length).toBeLessThan(400_000);
  expect((await makeGuide(markdown, imprint)).content.equals(guide.content)).toBe(true);
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
  for (const role of ['H1', 'H2', 'H3', 'P', 'TOC', 'TOCI', 'L', 'LI', 'Table', 'TH', 'TD', 'Link'])
    expect(tree).toContain(`"role":"${role}"`);
});

test('the PDF has bookmarks, and a contents page with the page of each chapter', async () => {
  const [{ items: [inside, ...bookmarks] = [] } = {}] = await pdf.getOutline();
  expect(inside?.title).toBe('What is inside');
  expect(bookmarks.map(({ title }) => title)).toEqual(chapters.map((chapter, index) => `${index + 1} ${chapter}`));
  for (const { dest, title } of bookmarks) {
    const page = (await pdf.getPageIndex(Array.isArray(dest) ? dest[0] : null)) + 1;
    const words = title.replaceAll(' ', '');
    expect(pages[page - 1]).toContain(words.replace(/^\d+/, ''));
    expect(pages[1]).toContain(`${words}${page}`);
  }
});

test('the PDF links telephone numbers and web addresses, and lists every number on the page “Where to call”', async () => {
  const addresses = (await allPages((page) => page.getAnnotations())).flat().map(({ unsafeUrl }) => unsafeUrl);
  expect(addresses).toEqual(
    expect.arrayContaining(['tel:+18006771116', 'https://ssa.gov/extrahelp', 'https://www.medicare.gov/']),
  );
  expect(addresses.filter((address) => /\s|\(/.test(address))).toEqual([]);
  const page = pages.find((text) => text.includes('Wheretocall') && text.includes('EldercareLocator')) ?? '';
  const numbers = markdown.match(/1-\d{3}-(?:\d{3}-\d{4}|[A-Z]+)|\b211\b/g) ?? [];
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers.filter((number) => !page.includes(number))).toEqual([]);
});

test('the topics are the consecutive chapters that begin "At a glance"', () => {
  const { topics, firstTopicNumber } = guide;
  expect(topics).toHaveLength(8);
  expect(chapters.slice(firstTopicNumber - 1, firstTopicNumber - 1 + topics.length)).toEqual(topics);
});

const head = '# Title\n\nSubtitle.\n\n## Chapter\n\n';

test.each([
  ['Words.', 'Line 1 of the guide: it begins with a # title and a paragraph as subtitle.'],
  ['# Title\n\nSubtitle.\n\nWords.', 'Line 5 of the guide: text stands in a chapter, which begins with ##.'],
  [`${head}#### Deep`, 'Line 7 of the guide: headings in a chapter have three #.'],
  [`${head}![](x.png)`, 'Line 7 of the guide: the PDF has no form for “image” in a paragraph.'],
  [`${head}\`\`\`\ncode\n\`\`\``, 'Line 7 of the guide: the PDF has no form for “code”.'],
  [`${head}- a\n\n  b`, 'Line 7 of the guide: list items and callouts hold one paragraph.'],
])('names the line of Markdown that the PDF has no format for: %p', async (text, message) => {
  await expect(makeGuide(text, imprint)).rejects.toThrow(new Error(message));
});
