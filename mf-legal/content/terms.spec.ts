import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { accessibleViewCopy } from '../src/accessible-view/accessible-view-copy.ts';

const terms = readFileSync(join(import.meta.dirname, 'terms.md'), 'utf8');

test('the Terms promise the privacy choices at the foot of no page that has only some of them', () => {
  expect(accessibleViewCopy.footer.links.map(({ href }): string => href)).not.toContain('/privacy-rights-request');
  const [promise] = terms.match(/You find them .*/) ?? [];
  expect(promise).toContain('[Privacy Policy](/privacy-policy#your-choices-and-rights)');
  expect(promise).toContain('except the [Accessible View](/accessible-view)');
  expect(terms).not.toContain('foot of every page');
});
