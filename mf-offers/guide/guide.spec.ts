/** @jest-environment node */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { isGlance, topicsOf } from './guide-text.ts';
import { linkContacts } from './link-contacts.ts';
import { type GuideImprint, makeGuidePdf } from './make-guide-pdf.ts';
import { columnWidths } from './pdf/column-widths.ts';
import { GuideError, readGuide } from './read-guide.ts';

const imprint: GuideImprint = { publisher: 'Daybook Silver', date: new Date('2025-05-20') };
const markdown = readFileSync(path.join(import.meta.dirname, 'senior-savings-guide.md'), 'utf8');

describe('the PDF of the guide', () => {
  const made = makeGuidePdf(readGuide(markdown), imprint);
  const text = async () => (await made).content.toString('latin1');

  test('is a PDF of eight pages or more, and light enough for a slow line', async () => {
    const { content, pages } = await made;
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pages).toBeGreaterThanOrEqual(8);
    expect((await text()).match(/\/Type \/Page\n/g)).toHaveLength(pages);
    expect(content.length).toBeLessThan(400_000);
  });

  test('is the same, byte for byte, whenever it is made', async () => {
    const again = await makeGuidePdf(readGuide(markdown), imprint);
    expect(again.content.equals((await made).content)).toBe(true);
    expect(await text()).toContain('(D:20250520000000Z)');
  });

  test('holds nothing of the machine that made it', async () => {
    const streams = [...(await text()).matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
      } catch {
        return stream;
      }
    });
    expect([await text(), ...streams].join()).not.toContain(path.dirname(import.meta.dirname));
  });

  test('has title, language, structure and bookmarks for who reads with other means', async () => {
    const pdf = await text();
    expect(pdf).toContain('/Lang (en-US)');
    expect(pdf).toContain('/Marked true');
    expect(pdf).toContain('/DisplayDocTitle true');
    expect(pdf).toContain('(The Senior Savings Guide)');
    for (const { title } of readGuide(markdown).chapters) expect(pdf).toContain(`/Title ${pdfText(title)}`);
    for (const kind of ['H1', 'H2', 'H3', 'TOC', 'L', 'LI', 'Table', 'TH', 'TD', 'Link'])
      expect(pdf).toContain(`/S /${kind}\n`);
  });

  test('has links to the telephone and the web', async () => {
    expect(await text()).toContain('/URI (tel:+18006771116)');
    expect(await text()).toContain('/URI (https://www.medicare.gov/)');
  });
});

/** As pdfkit writes it: in UTF-16 where there is more than ASCII. */
function pdfText(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text})`;
  return `(${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1')})`;
}

describe('what the guide says of itself', () => {
  const guide = readGuide(markdown);

  test('every telephone number of the guide stands under “Where to call”, on one page', async () => {
    const numbers = (text: string) => new Set(text.match(/\b1-\d{3}-(?:\d{3}-\d{4}|[A-Z]+)\b|\b211\b/g));
    const [before, whereToCall] = markdown.split('## Where to call\n');
    const [table] = (whereToCall ?? '').split('### Online');
    expect(numbers(before ?? '').size).toBeGreaterThan(10);
    const listed = numbers(table ?? '');
    expect([...numbers(before ?? '')].filter((number) => !listed.has(number))).toEqual([]);
    // Cover, contents, and one page that holds them all.
    const alone = readGuide(`# Guide\n\nNumbers.\n\n## Where to call\n${table}`);
    expect((await makeGuidePdf(alone, imprint)).pages).toBe(3);
  });

  test('the chapters about one kind of help follow each other, and say at a glance what the page promises', () => {
    const topics = topicsOf(guide);
    const first = guide.chapters.findIndex(({ title }) => title === topics[0]);
    expect(guide.chapters.slice(first, first + topics.length).map(({ title }) => title)).toEqual(topics);
    expect(markdown).toContain(`The chapters from “${topics[0]}” to “${topics.at(-1)}” take one kind of help each.`);
    for (const { blocks } of guide.chapters.slice(first, first + topics.length)) {
      const glance = blocks.find((block) => block.kind === 'table' && isGlance(block));
      const labels = glance?.kind === 'table' ? glance.rows.map(([label]) => label?.[0]?.text) : [];
      expect(labels).toEqual(['For', 'Worth', 'Ask']);
    }
  });
});

describe('reading a guide', () => {
  const head = '# Title\n\nSubtitle.\n\n## Chapter\n\n';

  test('gives title, subtitle and chapters with their blocks', () => {
    const guide = readGuide(`${head}Words.\n\n### Part\n\n- [ ] Box\n- Point\n\n> Note.\n\n---\n\n## Next\n\n1. One\n`);
    expect(guide).toMatchObject({ title: 'Title', subtitle: 'Subtitle.' });
    expect(guide.chapters.map(({ title, ownPage }) => [title, ownPage])).toEqual([
      ['Chapter', true],
      ['Next', true],
    ]);
    expect(guide.chapters[0]?.blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'heading', 'list', 'callout']);
    expect(guide.chapters[0]?.blocks[2]).toMatchObject({ ordered: false, items: [{ box: true }, { box: false }] });
  });

  test('gives tables with the columns to set to the right', () => {
    const { chapters } = readGuide(`${head}| a | b |\n| --- | ---: |\n| **c** | |\n`);
    expect(chapters[0]?.blocks[0]).toMatchObject({
      kind: 'table',
      align: ['left', 'right'],
      rows: [[[{ text: 'c', style: 'strong' }], []]],
    });
  });

  test.each([
    ['Words.', 'Line 1 of the guide: it begins with a # title and a paragraph as subtitle.'],
    ['# Title\n\nSubtitle.\n\nWords.', 'Line 5 of the guide: text stands in a chapter, which begins with ##.'],
    [`${head}#### Deep`, 'Line 7 of the guide: headings in a chapter have three #.'],
    [`${head}![](x.png)`, 'Line 7 of the guide: the PDF has no form for “image” in a paragraph.'],
    [`${head}\`\`\`\ncode\n\`\`\``, 'Line 7 of the guide: the PDF has no form for “code”.'],
    [`${head}- a\n\n  b`, 'Line 7 of the guide: list items and callouts hold one paragraph.'],
  ])('says where an editor wrote what cannot be set: %p', (text, message) => {
    expect(() => readGuide(text)).toThrow(GuideError);
    expect(() => readGuide(text)).toThrow(message);
  });
});

test('telephone numbers and public web addresses become links', () => {
  const links = linkContacts({ text: 'Call 1-800-677-1116 or see ssa.gov/extrahelp, e.g. in May.', style: 'regular' });
  expect(links.map(({ text, link }) => [text, link])).toEqual([
    ['Call ', undefined],
    ['1-800-677-1116', 'tel:+18006771116'],
    [' or see ', undefined],
    ['ssa.gov/extrahelp', 'https://ssa.gov/extrahelp'],
    [', e.g. in May.', undefined],
  ]);
});

describe('a table’s columns', () => {
  test('give the widest what is left over', () => {
    expect(columnWidths([40, 100], 200)).toEqual([40, 160]);
  });

  test('share what is there by their need, and the narrow ones get theirs', () => {
    const widths = columnWidths([50, 400, 900], 450);
    expect(widths[0]).toBe(50);
    expect(widths[1]).toBeCloseTo(160);
    expect(widths[2]).toBeCloseTo(240);
  });
});
