import { queryClient } from '@daybook/platform/queries';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Answer, acceptingApi, type Call, fakeApi } from '../testing/fake-api.ts';
import { completeRegistration, completionSources } from './completion.ts';

const email = 'reader@example.com';
const known = { id: 7, email };
const onlyEmail = { id: undefined, email };

const clientInfo = 'PUT /api/waitlist/7/update-client-info';
const notice = (source: string) => `POST /api/waitlist/7/notify-complete ${source}`;
const lookUp = 'GET /api/waitlist/by-email?email=reader%40example.com';
const emergency = `POST /api/emergency-webhook ${completionSources.entryNotFound}`;

const sourceOf = ({ body }: Call) => (body as { source?: string } | undefined)?.source;
const inShort = (call: Call) => [call.method, call.url, sourceOf(call)].filter(Boolean).join(' ');

/** An API whose answer to some calls, by method, path and source, is another than success. */
const apiWith = (answers: Readonly<Record<string, Answer>>) =>
  fakeApi((call) => answers[inShort(call)] ?? { body: { success: true } });

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

describe('with an id', () => {
  test('client info is updated, then the completion notice is sent', async () => {
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
    ['an empty answer', {}],
    ['null', { body: null }],
    ['an answer without fields', { body: {} }],
    ['an answer with an error field', { body: { error: 'not sent' } }],
  ])('%s to the notice leads to one with the fallback source', async (_, answer) => {
    const { calls } = apiWith({ [notice(completionSources.regular)]: answer });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([
      clientInfo,
      notice(completionSources.regular),
      notice(completionSources.fallback),
    ]);
  });

  test('a refused update of client info leads to a notice with the emergency source', async () => {
    const { calls } = apiWith({ [clientInfo]: broken });
    expect(await completeRegistration(known)).toBe(true);
    expect(calls.map(inShort)).toEqual([clientInfo, notice(completionSources.emergency)]);
  });

  test.each([
    ['refused', broken],
    ['lost', new TypeError('Failed to fetch')],
  ])('a notice that is %s leads to one with the emergency source', async (_, answer) => {
    const { calls } = apiWith({ [notice(completionSources.regular)]: answer });
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
  ])('completes nothing when the %s notice is not acknowledged either', async (_, source, answers) => {
    const { calls } = apiWith({ ...answers, [notice(source)]: { body: { error: 'not sent' } } });
    expect(await completeRegistration(known)).toBe(false);
    expect(calls.map(inShort)).toEqual([clientInfo, notice(completionSources.regular), notice(source)]);
  });

  test('a refused fallback notice leads to one with the emergency source', async () => {
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

  test('a refused emergency notice is only logged', async () => {
    fakeApi(() => broken);
    expect(await completeRegistration(known)).toBe(false);
    expect(log).toHaveBeenCalledTimes(2);
  });
});

describe('with only an e-mail address', () => {
  test('the id is looked up first', async () => {
    const { calls } = apiWith({ [lookUp]: { body: { entry: { id: 7, email } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookUp, clientInfo, notice(completionSources.regular)]);
  });

  test.each([
    ['is not found', notFound],
    ['has no id', { body: { entry: { email } } }],
    ['cannot be looked up', broken],
    ['cannot be asked for', new TypeError('Failed to fetch')],
  ])('an entry that %s leads to the emergency call', async (_, answer) => {
    const { calls } = apiWith({ [lookUp]: answer });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookUp, emergency]);
    expect(calls[1]?.body).toEqual({
      email,
      source: completionSources.entryNotFound,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test('that no entry is found is no failure', async () => {
    apiWith({ [lookUp]: notFound });
    await completeRegistration(onlyEmail);
    expect(log).not.toHaveBeenCalled();
  });

  test('takes an entry that holds nothing but its id', async () => {
    const { calls } = apiWith({ [lookUp]: { body: { entry: { id: 7 } } } });
    expect(await completeRegistration(onlyEmail)).toBe(true);
    expect(calls.map(inShort)).toEqual([lookUp, clientInfo, notice(completionSources.regular)]);
  });

  test('completes nothing when the emergency call is not acknowledged', async () => {
    apiWith({ [lookUp]: notFound, [emergency]: {} });
    expect(await completeRegistration(onlyEmail)).toBe(false);
  });

  test('a refused emergency call is only logged', async () => {
    apiWith({ [lookUp]: notFound, [emergency]: broken });
    expect(await completeRegistration(onlyEmail)).toBe(false);
    expect(log).toHaveBeenCalledTimes(1);
  });
});

test('with nothing known, nothing is sent', async () => {
  const { calls } = acceptingApi();
  expect(await completeRegistration({ id: undefined, email: undefined })).toBe(false);
  expect(calls).toEqual([]);
});
