import { expect, test } from '@jest/globals';
import { requestIdHeader, requestIdOf } from './request-id.ts';

const ids = (given: string) => requestIdOf({ [requestIdHeader]: given }, true);

test.each(['k3j2', '0af7651916cd43dd8448eb211c80319c', 'Root=1-67891233'.replace('=', ':')])(
  'a trusted proxy’s id is taken: %s',
  (id) => expect(ids(id)).toBe(id),
);

test.each(['', 'ada@example.com', 'ada%40example.com', 'a b', 'a\nb', 'x'.repeat(65)])('%j is no id', (id) => {
  expect(ids(id)).toMatch(/^[\w-]{12}$/);
});

test('an id that anybody may have made up is not taken', () => {
  expect(requestIdOf({ [requestIdHeader]: 'k3j2' }, false)).not.toBe('k3j2');
  expect(requestIdOf({}, false)).not.toBe(requestIdOf({}, false));
});

test('ids that are made stay different from each other, however many there are', () => {
  const made = Array.from({ length: 2_000 }, () => requestIdOf({}, false));
  expect(new Set(made).size).toBe(2_000);
  expect(made.filter((id) => !/^[\w-]{12}$/.test(id))).toEqual([]);
});
