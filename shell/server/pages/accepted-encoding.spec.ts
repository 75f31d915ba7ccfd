import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { acceptedEncoding } from './page-routes.ts';

test.each([
  [undefined, 'identity'],
  ['br;q=0.1, gzip;q=1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity;q=0', 'identity'],
])('a browser that accepts %p gets %p', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

const coding = fc.constantFrom('br', 'gzip', 'identity', 'deflate');
const quality = fc.constantFrom('', ';q=1', ';q=0.5', ';q=0.001', ';q=0', '; q=0.000');

test('chooses only accepted encodings, and the preferred one of them', () => {
  const weight = (text: string) => (text === '' ? 1 : Number(text.replace(/^.*=/, '')));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(coding, quality), { selector: ([name]) => name }), (accepted) => {
      const header = accepted.map((each) => each.join('')).join(', ');
      const encoding = acceptedEncoding(header);
      const weights = new Map(accepted.map(([name, text]) => [name as string, weight(text)]));
      if (encoding === 'identity') {
        const rest = weights.get('identity') ?? 0;
        for (const name of ['br', 'gzip']) expect(weights.get(name) ?? 0).toBeLessThanOrEqual(rest);
      } else {
        expect(weights.get(encoding)).toBeGreaterThan(0);
        for (const name of ['br', 'gzip'])
          expect(weights.get(name) ?? 0).toBeLessThanOrEqual(weights.get(encoding) ?? 0);
      }
    }),
  );
});

test('returns an encoding for any header', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^(?:br|gzip|\*|[;,= q.01"\\-])*$/));
  fc.assert(fc.property(text, (header) => expect(['br', 'gzip', 'identity']).toContain(acceptedEncoding(header))));
});
