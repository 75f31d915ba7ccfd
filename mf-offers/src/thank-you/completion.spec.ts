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

  test.each([
    ['an empty response', {}],
    ['null', { body: null }],
    ['a response without fields', { body: {} }],
    ['a response with an error field', { body: { error: 'not sent' } }],
  ])('sends the fallback notice after %s to the notice', async (_, response) => {
    const { calls } = apiWith({ [notice(completionSources.regular)]: response });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([
      clientInfo,
      notice(completionSources.regular),
      notice(completionSources.fallback),
    ]);
  });

  test('sends the emergency notice after a failed update of client info', async () => {
    const { calls } = apiWith({ [clientInfo]: broken });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([clientInfo, notice(completionSources.emergency)]);
  });

  test.each([
    ['rejected', broken],
    ['lost', new TypeError('Failed to fetch')],
  ])('sends the emergency notice after a notice that is %s', async (_, response) => {
    const { calls } = apiWith({ [notice(completionSources.regular)]: response });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([
      clientInfo,
      notice(completionSources.regular),
      notice(completionSources.emergency),
    ]);
  });

  test.each([
    ['fallback', completionSources.fallback, { [notice(completionSources.regular)]: {} }],
    ['emergency', completionSources.emergency, { [notice(completionSources.regular)]: broken }],
  ])('does not complete when the %s notice is not acknowledged either', async (_, source, responses) => {
    const { calls } = apiWith({ ...responses, [notice(source)]: { body: { error: 'not sent' } } });
    expect(await completeRegistration(known)).toBe(false);
    expect(calls.map(inShort)).toEqual([clientInfo, notice(completionSources.regular), notice(source)]);
  });

  test('sends the emergency notice after a failed fallback notice', async () => {
    const { calls } = apiWith({
      [notice(completionSources.regular)]: {},
      [notice(completionSources.fallback)]: broken,
    });
    await completeRegistration(known);
    expect(calls.map(inShort).slice(2)).toEqual([
      notice(completionSources.fallback),
      notice(completionSources.emergency),
    ]);
  });

  test('only logs a failed emergency notice', async () => {
    fakeApi(() => broken);
    expect(await completeRegistration(known)).toBe(false);
    expect(log).toHaveBeenCalledTimes(2);
  });
});

describe('the completion with only an e-mail address', () => {
  test('looks the id up first', async () => {
    const { calls } = apiWith({ [lookup]: { body: { entry: { id: 7, email } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookup, clientInfo, notice(completionSources.regular)]);
  });

  test.each([
    ['is not found', notFound],
    ['has no id', { body: { entry: { email } } }],
    ['cannot be looked up', broken],
    ['cannot be requested', new TypeError('Failed to fetch')],
  ])('sends the emergency call for an entry that %s, which completes no registration', async (_, response) => {
    const { calls } = apiWith({ [lookup]: response });
    expect(await completeRegistration(onlyEmail)).toBe(false);
    expect(calls.map(inShort)).toEqual([lookup, emergency]);
    expect(calls[1]?.body).toEqual({
      email,
      source: completionSources.entryNotFound,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test('does not log a missing entry as a failure', async () => {
    apiWith({ [lookup]: notFound });
    await completeRegistration(onlyEmail);
    expect(log).not.toHaveBeenCalled();
  });

  test('accepts an entry with only an id', async () => {
    const { calls } = apiWith({ [lookup]: { body: { entry: { id: 7 } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookup, clientInfo, notice(completionSources.regular)]);
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
