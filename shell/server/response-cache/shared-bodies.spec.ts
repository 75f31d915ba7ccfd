import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { SharedBodies } from './shared-bodies.ts';

const fileOf = (text: string) => Readable.from([Buffer.from(text)]);

test('what is read at the same time, or is still held, is in memory once', async () => {
  const bodies = new SharedBodies();
  const [first, second] = await Promise.all([bodies.take('a', fileOf('one')), bodies.take('a', fileOf('one'))]);
  const unread = fileOf('one');
  expect(second).toBe(first);
  expect(await bodies.take('a', unread)).toBe(first);
  expect(unread.destroyed).toBe(true);
  expect((await bodies.take('b', fileOf('two'))).toString()).toBe('two');
});

test('a file that can’t be read is read again by the next request', async () => {
  const bodies = new SharedBodies();
  const broken = new Readable({ read: () => broken.destroy(new Error('The disk is gone.')) });
  await expect(bodies.take('a', broken)).rejects.toThrow('The disk is gone.');
  expect((await bodies.take('a', fileOf('one'))).toString()).toBe('one');
});
