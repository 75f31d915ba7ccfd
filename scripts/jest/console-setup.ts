import { afterEach, beforeEach, expect } from '@jest/globals';

// A console.error fails its test, unless the spec has replaced it by a spy.
const errors: unknown[] = [];
beforeEach(() => {
  errors.length = 0;
  console.error = (...texts) => errors.push(texts);
});
afterEach(() => expect({ 'console.error': errors }).toEqual({ 'console.error': [] }));
