import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const linesOf = (text: string) => readFileSync(join(import.meta.dirname, `${text}.md`), 'utf8').split('\n');

test.each(['privacy-policy', 'california-privacy-notice'])(
  '%s leaves offers that may hint at health out of whatever it says is worked out from choices',
  (text) => {
    const lines = linesOf(text).filter((line) => /offers you chose.*your language/i.test(line));
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      expect(line).toContain('offers you chose, except offers that may hint at your health');
      expect(line).toMatch(/at present/i);
    }
  },
);

test('the California notice names no inference that is drawn today', () => {
  expect(linesOf('california-privacy-notice')).toContainEqual(
    expect.stringMatching(/^\| Inferences \| None at present/),
  );
});
