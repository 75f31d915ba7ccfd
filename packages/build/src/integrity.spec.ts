import { expect, test } from '@jest/globals';
import { integrityOf } from './integrity.ts';

// The vector for “abc” of FIPS 180-2, appendix D.1, in base64.
test('the integrity of “abc” is its SHA-384 in base64', () => {
  expect(integrityOf(Buffer.from('abc'))).toBe(
    'sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn',
  );
});
