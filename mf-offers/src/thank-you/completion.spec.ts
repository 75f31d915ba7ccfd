import { clearQueries } from '@daybook/platform/queries';
import { type Call, type FakeResponse, fakeApi } from '@daybook/testing/fake-api';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { completeRegistration, completionSources } from './completion.ts';

const { regular, fallback, emergency } = completionSources;
const email = 'reader@example.com';
const known = { id: 7, email };
const onlyEmail = { id: undefined, email };

const clientInfo = 'PUT /api/waitlist/7/update-client-info';
const notice = (source: string) => `POST /api/waitlist/7/notify-complete ${source}`;
const lookup = 'GET /api/waitlist/by-email?email=reader%40example.com';
const emergencyCall = `POST /api/emergency-webhook ${completionSources.entryNotFound}`;

const inShort = ({ call, body }: Call) => `${call} ${(body as { source?: string } | undefined)?.source ?? ''}`.trim();

/** An API that responds with success, except to some calls, by method, path and source. */
const apiWith = (responses: Readonly<Record<string, FakeResponse>> = {}) =>
  fakeApi((call) => responses[inShort(call)] ?? { body: { success: true } });

const notSent = { body: { error: 'not sent' } };
const notFound = { status: 404, body: { statusCode: 404, message: 'Not found', error: 'ENTRY_NOT_FOUND' } };
const broken = { status: 500, body: { statusCode: 500, message: `No luck for ${email}`, error: 'INTERNAL' } };

let log: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2025-05-20T08:00:00Z') });
  log = jest.spyOn(console, 'error').mockReturnValue();
  clearQueries();
});
afterEach(() => {
  expect(JSON.stringify(log.mock.calls)).not.toContain(email);
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the completion with an id', () => {
  test('updates client info, then sends the completion notice', async () => {
    const calls = apiWith();
    expect(await completeRegistration(known)).toBe(true);
    expect(calls).toEqual([
      { call: clientInfo, body: undefined },
      {
        call: 'POST /api/waitlist/7/notify-complete',
        body: { source: regular, timestamp: '2025-05-20T08:00:00.000Z', forceSend: true },
      },
    ]);
    expect(log).not.toHaveBeenCalled();
  });

  const [first, second, last] = [regular, fallback, emergency].map(notice) as [string, string, string];
  test.each<[string, Readonly<Record<string, FakeResponse>>, readonly string[], boolean, number]>([
    ['an empty response', { [first]: {} }, [first, second], true, 0],
    ['an error field', { [first]: notSent }, [first, second], true, 0],
    ['a rejection', { [first]: broken }, [first, last], true, 1],
    ['a failed update of client info', { [clientInfo]: broken }, [last], true, 1],
    ['a failed fallback notice', { [first]: {}, [second]: broken }, [first, second, last], true, 1],
    ['a fallback notice without effect', { [first]: {}, [second]: notSent }, [first, second], false, 0],
    ['a failed emergency notice', { [first]: broken, [last]: broken }, [first, last], false, 2],
  ])('follows the rules of repetition after %s', async (_, responses, notices, isComplete, logged) => {
    const calls = apiWith(responses);
    expect(await completeRegistration(known)).toBe(isComplete);
    expect(calls.map(inShort)).toEqual([clientInfo, ...notices]);
    expect(log).toHaveBeenCalledTimes(logged);
  });
});

describe('the completion with only an email', () => {
  test('looks the id up first', async () => {
    const calls = apiWith({ [lookup]: { body: { entry: { id: 7 } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookup, clientInfo, notice(regular)]);
  });

  test.each([
    ['is not found', { [lookup]: notFound }, 0],
    ['has no id', { [lookup]: { body: { entry: { email } } } }, 0],
    ['cannot be looked up', { [lookup]: broken }, 1],
  ])('sends the emergency call for an entry that %s', async (_, responses, logged) => {
    const calls = apiWith(responses);
    expect(await completeRegistration(onlyEmail)).toBe(false);
    expect(calls.map(inShort)).toEqual([lookup, emergencyCall]);
    const source = completionSources.entryNotFound;
    expect(calls[1]?.body).toEqual({ email, source, timestamp: '2025-05-20T08:00:00.000Z' });
    expect(log).toHaveBeenCalledTimes(logged);
  });
});
