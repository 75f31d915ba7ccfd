import { ApiError } from '@daybook/platform';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { entry, fakeApi, json } from '../testing/fake-api.ts';
import { advanceEntry, describeFailure, offersAddress, signUp, thankYouAddress } from './use-signup.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('signing up', () => {
  test('sends the address and returns the id of the new entry', async () => {
    const received = fakeApi({ 'POST /api/waitlist': () => entry(7) });
    expect(await signUp({ email: 'ada@example.com' })).toEqual({ email: 'ada@example.com', entryId: 7 });
    expect(received).toEqual([{ call: 'POST /api/waitlist', body: { email: 'ada@example.com' } }]);
  });

  test('accepts an entry with only an id', async () => {
    fakeApi({ 'POST /api/waitlist': () => json({ entry: { id: 7 } }, 201) });
    expect(await signUp({ email: 'ada@example.com' })).toEqual({ email: 'ada@example.com', entryId: 7 });
  });

  test.each([
    ['an empty object', {}],
    ['an entry without an id', { entry: { email: 'ada@example.com' } }],
    ['no object at all', null],
  ])('succeeds without an id if the response is %s', async (_, response) => {
    fakeApi({ 'POST /api/waitlist': () => json(response) });
    expect(await signUp({ email: 'ada@example.com' })).toEqual({ email: 'ada@example.com', entryId: undefined });
  });
});

describe('updating the entry', () => {
  test('sets step 2 and then marks it complete', async () => {
    const received = fakeApi();
    await advanceEntry(7);
    expect(received.map(({ call }) => call)).toEqual(['PUT /api/waitlist/7/step/2', 'PUT /api/waitlist/7/complete']);
  });

  test('marks it complete although the step call gets no response', async () => {
    const received = fakeApi({ 'PUT /api/waitlist/7/step/2': () => new Promise(() => undefined) });
    void advanceEntry(7);
    expect(received.map(({ call }) => call)).toEqual(['PUT /api/waitlist/7/step/2', 'PUT /api/waitlist/7/complete']);
  });

  test('continues after a failure, without a retry, and logs it without the address', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const received = fakeApi({
      'PUT /api/waitlist/7/step/2': () => json({}, 503),
      'PUT /api/waitlist/7/complete': () => Promise.reject(new DOMException('timed out', 'TimeoutError')),
    });
    await advanceEntry(7);
    expect(received).toHaveLength(2);
    expect(log).toHaveBeenCalledTimes(2);
    expect(log.mock.calls.flat().join(' ')).not.toContain('@');
  });
});

describe('the message for a failure', () => {
  test('is the message of the API, if it has one', () => {
    const errorBody = { statusCode: 400, message: 'email must be an address', error: 'Bad Request' };
    expect(describeFailure(new ApiError(400, JSON.stringify(errorBody)))).toBe('email must be an address');
  });

  test.each([
    ['a response from another server', new ApiError(502, '<html>Bad Gateway</html>')],
    ['no response', new TypeError('Failed to fetch')],
  ])('is a general one for %s', (_, error) => {
    expect(describeFailure(error)).toBe('Something went wrong. Please try again.');
  });
});

test('addresses of the next pages contain id and encoded address', () => {
  expect(thankYouAddress({ entryId: 7, email: 'a+b@example.com' })).toBe('/thank-you?id=7&email=a%2Bb%40example.com');
  expect(thankYouAddress({ entryId: undefined, email: 'a+b@example.com' })).toBe('/');
  expect(offersAddress(7, 'a+b@example.com')).toBe('/continue-registration?id=7&email=a%2Bb%40example.com');
});
