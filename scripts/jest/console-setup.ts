import { afterEach, beforeEach, expect, jest } from '@jest/globals';

// A console.error fails its test, unless the spec has a spy in its place.
const errors: unknown[] = [];
beforeEach(() => {
  errors.length = 0;
  if (!jest.isMockFunction(console.error)) console.error = (...texts) => errors.push(texts);
});
afterEach(() => expect({ 'console.error': errors }).toEqual({ 'console.error': [] }));
