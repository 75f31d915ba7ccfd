/** @jest-environment node */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { guideFacts, madeFrom } from './guide-facts.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file));
const content = read('senior-savings-guide.pdf');

let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;

beforeAll(async () => {
  pdf = await getDocumentProxy(new Uint8Array(content));
});

test('the PDF was made from the present Markdown and layout', () => {
  const sources = createHash('sha256').update(read('../../guide/senior-savings-guide.md'));
  // If not: npm ci && npm run make in mf-offers/guide.
  expect(sources.update(read('../../guide/guide.typ')).digest('hex')).toBe(madeFrom);
});

test('the PDF has the pages and the size that the download page states', () => {
  expect(guideFacts).toMatchObject({ pages: pdf.numPages, bytes: content.length, title: 'The Senior Savings Guide' });
  expect(content.length).toBeLessThan(400_000);
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
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const trees = numbers.map(async (number) => (await pdf.getPage(number)).getStructTree());
  const tree = JSON.stringify(await Promise.all(trees));
  for (const role of ['H1', 'H2', 'P', 'TOC', 'LI', 'TH', 'Link']) expect(tree).toContain(`"role":"${role}"`);
});
