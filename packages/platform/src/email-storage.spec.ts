import { brokenStorages } from '@daybook/testing/broken-storages';
import { afterEach, expect, jest, test } from '@jest/globals';
import { storeEmail } from './email-storage.ts';

afterEach(() => {
  jest.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

test('the address that signed up is stored as userEmail in local storage and as enteredEmail in session storage', () => {
  storeEmail('reader@example.com');
  expect({ ...localStorage }).toEqual({ userEmail: 'reader@example.com' });
  expect({ ...sessionStorage }).toEqual({ enteredEmail: 'reader@example.com' });
});

test.each(brokenStorages)(
  'the address is stored in one of two storages if the other %s, and is not in the log',
  (_what, get) => {
    const warning = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const storage = jest.spyOn(window, 'localStorage', 'get').mockImplementation(get);
    storeEmail('reader@example.com');
    storage.mockRestore();
    expect(sessionStorage.getItem('enteredEmail')).toBe('reader@example.com');
    expect(warning).toHaveBeenCalledTimes(1);
    expect(warning.mock.calls.flat().join()).not.toContain('reader@example.com');
  },
);
