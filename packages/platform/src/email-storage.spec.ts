import { afterEach, expect, jest, test } from '@jest/globals';
import { storeEmail } from './email-storage.ts';

afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

test('without local storage the address is in session storage, and not in the log', () => {
  const warning = jest.spyOn(console, 'warn').mockReturnValue();
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  storeEmail('reader@example.com');
  expect(sessionStorage.getItem('enteredEmail')).toBe('reader@example.com');
  expect(warning).toHaveBeenCalledTimes(1);
  expect(warning.mock.calls.flat().join()).not.toContain('reader@example.com');
});
