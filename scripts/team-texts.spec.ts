import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';

// A date, a heading or a label in a test would stop the release of a team that changes it (e2e/support/built-pages.ts).

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const filesIn = (pattern: string) => globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/build'] });
const allIn = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));

/** Browser tests that the teams own, by .github/CODEOWNERS. */
const ownTests = allIn([read('.github/CODEOWNERS')], /^\/(e2e\/\S+) @daybook\/(?!platform)/gm);
const tests = filesIn('{e2e,bench}/**/*.ts').filter((file) => !ownTests.includes(file));

const texts = filesIn('mf-{legal,privacy}/content/*.md').map(read);
const sources = filesIn('mf-{legal,privacy}/src/**/*.{ts,tsx}')
  .filter((file) => !file.includes('.spec.'))
  .map(read);

/** Addresses of the footer are the platform team's, and their labels are titles of pages. */
const labels = allIn([read('packages/ui/src/frame.tsx')], /label: '([^']+)'/g);

const longDate = (date: string) => new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

test('no browser test of another team states a date, heading or label of a legal or privacy page', () => {
  const dates = allIn(texts, /^lastUpdated: (\S+)/gm).flatMap((date) => [date, longDate(date)]);
  const words = [
    ...dates,
    ...allIn(texts, /^## (.+)$/gm),
    ...allIn(sources, /\b(?:heading|submitLabel|busyLabel|returnLabel)(?:: | = )'([^']+)'/g),
  ].filter((word) => !labels.includes(word));
  const titles = [...allIn(sources, /\b(?:title|heading): '([^']+)'/g), ...allIn(sources, /legalPage\('([^']+)'/g)];
  const stated = tests.flatMap((file) => {
    const source = read(file);
    const found = words.filter((word) => [`'`, '"', '`', '/'].some((quote) => source.includes(quote + word)));
    const headings = allIn([source], /level: 1, name: '([^']+)'/g).filter((heading) => titles.includes(heading));
    return [...new Set([...found, ...headings])].map((word) => `${file}: ${word}`);
  });
  expect(stated).toEqual([]);
});
