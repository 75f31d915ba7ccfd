import { expect, test } from '@jest/globals';
import { indexWith } from '../test/mock-network.ts';
import { remoteOf } from '../test/registered.ts';
import { readRemoteIndex } from './known-releases.ts';

test('a remote index is read as it is', () => {
  const index = indexWith(remoteOf('mf-news', ['/news']));
  expect(readRemoteIndex(index)).toBe(index);
});

test.each([undefined, null, 'a text', [], {}, { remotes: {}, missing: [] }])('%j is no remote index', (value) => {
  expect(() => readRemoteIndex(value)).toThrow(TypeError);
});
