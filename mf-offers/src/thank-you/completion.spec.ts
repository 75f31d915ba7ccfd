import { queryClient } from '@daybook/platform/queries';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { acceptingApi, type Call, type FakeResponse, fakeApi } from '../testing/fake-api.ts';
import { completeRegistration, completionSources } from './completion.ts';

const email = 'reader@example.com';
const known = { id: 7, email };
const onlyEmail = { id: undefined, email };

const clientInfo = 'PUT /api/waitlist/7/update-client-info';
const notice = (source: string) => `POST /api/waitlist/7/notify-complete ${source}`;
const lookup = 'GET /api/waitlist/by-email?email=reader%40example.com';
const emergency = `POST /api/emergency-webhook ${completionSources.entryNotFound}`;

const sourceOf = ({ body }: Call) => (body as { source?: string } | undefined)?.source;
const inShort = (call: Call) => [call.method, call.url, sourceOf(call)].filter(Boolean).join(' ');

/** An API that responds with success, except to some calls, by method, path and source. */
const apiWith = (responses: Readonly<Record<string, FakeResponse>>) =>
  fakeApi((call) => responses[inShort(call)] ?? { body: { success: true } });

const notFound = { status: 404, body: { statusCode: 404, message: 'Not found', error: 'ENTRY_NOT_FOUND' } };
const broken = { status: 500, body: { statusCode: 500, message: `No luck for ${email}`, error: 'INTERNAL' } };

const lost = new TypeError('Failed to fetch');

let log: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  log = jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
});
afterEach(() => {
  expect(JSON.stringify(log.mock.calls)).not.toContain(email);
  jest.restoreAllMocks();
});

describe('the completion with an id', () => {
  test('updates client info, then sends the completion notice', async () => {
    jest.useFakeTimers({ now: new Date('2025-05-20T08:00:00Z') });
    const { calls } = acceptingApi();
    expect(await completeRegistration(known)).toBe(true);
    jest.useRealTimers();
    expect(calls).toEqual([
      { method: 'PUT', url: '/api/waitlist/7/update-client-info', body: undefined },
      {
        method: 'POST',
        url: '/api/waitlist/7/notify-complete',
        body: { source: completionSources.regular, timestamp: '2025-05-20T08:00:00.000Z', forceSend: true },
      },
    ]);
    expect(log).not.toHaveBeenCalled();
  });

  const { regular, fallback } = completionSources;
  const notSent = { body: { error: 'not sent' } };

  test.each([
    ['the fallback notice after an empty response', { [notice(regular)]: {} }, ['fallback'], true],
    ['the fallback notice after null', { [notice(regular)]: { body: null } }, ['fallback'], true],
    ['the fallback notice after a response without fields', { [notice(regular)]: { body: {} } }, ['fallback'], true],
    ['the fallback notice after a response with an error field', { [notice(regular)]: notSent }, ['fallback'], true],
    ['the emergency notice after a notice that is rejected', { [notice(regular)]: broken }, ['emergency'], true],
    ['the emergency notice after a notice that is lost', { [notice(regular)]: lost }, ['emergency'], true],
    [
      'the emergency notice after a failed fallback notice',
      { [notice(regular)]: {}, [notice(fallback)]: broken },
      ['fallback', 'emergency'],
      true,
    ],
    [
      'nothing after a fallback notice that is not acknowledged',
      { [notice(regular)]: {}, [notice(fallback)]: notSent },
      ['fallback'],
      false,
    ],
    [
      'nothing after an emergency notice that is not acknowledged',
      { [notice(regular)]: broken, [notice(completionSources.emergency)]: notSent },
      ['emergency'],
      false,
    ],
  ] as const)('then sends %s', async (_, responses, further, isComplete) => {
    const { calls } = apiWith(responses as Readonly<Record<string, FakeResponse>>);
    expect(await completeRegistration(known)).toBe(isComplete);
    expect(calls.map(inShort)).toEqual([
      clientInfo,
      notice(regular),
      ...further.map((name) => notice(completionSources[name])),
    ]);
  });

  test('sends the emergency notice after a failed update of client info', async () => {
    const { calls } = apiWith({ [clientInfo]: broken });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([clientInfo, notice(completionSources.emergency)]);
  });

  test('only logs a failed emergency notice', async () => {
    fakeApi(() => broken);
    expect(await completeRegistration(known)).toBe(false);
    expect(log).toHaveBeenCalledTimes(2);
  });
});

describe('the completion with only an e-mail address', () => {
  test('looks the id up first, in an entry with only an id', async () => {
    const { calls } = apiWith({ [lookup]: { body: { entry: { id: 7 } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookup, clientInfo, notice(completionSources.regular)]);
  });

  test.each([
    ['is not found', notFound, 0],
    ['has no id', { body: { entry: { email } } }, 0],
    ['cannot be looked up', broken, 1],
    ['cannot be requested', lost, 1],
  ])('sends the emergency call for an entry that %s, which completes no registration', async (_, response, logged) => {
    const { calls } = apiWith({ [lookup]: response });
    expect(await completeRegistration(onlyEmail)).toBe(false);
    expect(calls.map(inShort)).toEqual([lookup, emergency]);
    expect(calls[1]?.body).toEqual({
      email,
      source: completionSources.entryNotFound,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(log).toHaveBeenCalledTimes(logged);
  });

  test('only logs a failed emergency call', async () => {
    apiWith({ [lookup]: notFound, [emergency]: broken });
    expect(await completeRegistration(onlyEmail)).toBe(false);
    expect(log).toHaveBeenCalledTimes(1);
  });
});

test('the completion sends nothing without visitor data', async () => {
  const { calls } = acceptingApi();
  expect(await completeRegistration({ id: undefined, email: undefined })).toBe(false);
  expect(calls).toEqual([]);
});
