import { type ApiCall, apiCalls, defaultBodyLimit } from '@daybook/contract/api';
import { maxUrlLength } from '@daybook/server';
import { fastest } from '@daybook/testing/processor-time';
import { type Sent, send } from '@daybook/testing/send';
import { worstJson, worstRuns, worstValues } from '@daybook/testing/worst-texts';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { completionNotice, emergencyNotice, information, privacyRequest } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

/** Maximum processor time of a request in ms, the test's own included: sending takes about 1 ms. */
const maxTime = 20;
const maxRounds = 25;

/** Maximum size of an error response, in bytes: it must not grow with the request. */
const maxErrorSize = 1_000;

const { backend } = useBackend({ PRIVACY_REQUESTS: 'record', TRUSTED_PROXIES: 2 });

/** Sends requests one after the other, and returns what is wrong with their time or response, by name. */
async function faultsOf(requests: Iterable<readonly [name: string, path: string, sent: Sent]>) {
  const faults: Record<string, string> = {};
  for (const [name, path, sent] of requests) {
    let [status, size] = [0, 0];
    const sendOnce = async () => {
      const response = await send(backend.url, path, sent);
      [status, size] = [response.status, response.body.length];
    };
    const time = await fastest(sendOnce, maxTime, maxRounds);
    if (time >= maxTime || status >= 500 || (status >= 400 && size > maxErrorSize))
      faults[name] = `${time} ms of processor time, status ${status}, ${size} bytes`;
  }
  return faults;
}

/** A valid body of each call, whose fields are then replaced. */
const goodBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  signUp: { email: 'reader@example.com' },
  updateInformation: information(),
  selectOffers: { selectedOffers: ['grocery'] },
  notifyComplete: completionNotice(),
  sendEmergencyNotice: emergencyNotice(),
  makePrivacyRequest: privacyRequest({
    kind: 'privacy-rights-request',
    fields: { name: 'Ada', requestType: 'access', comments: '' },
  }),
};

const withField = (body: object, field: string, json: string) =>
  JSON.stringify({ ...body, [field]: '$' }).replace('"$"', () => json);

/** Returns the worst bodies of a call: in place of each of its fields, of one more, and of the whole. */
function* worstBodies(good: Readonly<Record<string, unknown>>, limit: number): Generator<[string, string]> {
  for (const [name, fill] of Object.entries(worstJson)) {
    yield [name, fill(limit)];
    for (const field of [...Object.keys(good), 'more']) {
      const room = limit - Buffer.byteLength(withField(good, field, ''));
      yield [`${field}: ${name}`, withField(good, field, fill(room))];
    }
  }
}

const calls = Object.entries<ApiCall>(apiCalls).filter(([, { body }]) => body);

jest.setTimeout(240_000);

// The first requests are compiled.
beforeAll(async () => {
  for (let count = 0; count < 20; count += 1) await backend.signUp();
});

test.each(calls)('no body of %s takes long', async (name, { method, path, bodyLimit = defaultBodyLimit }) => {
  const good = goodBodies[name] ?? {};
  expect(goodBodies).toHaveProperty(name);
  const url = path.replace('{id}', '7');
  const sent = (body: string) => ({ method, headers: { 'Content-Type': 'application/json' }, body });
  function* requests() {
    for (const [what, text] of worstBodies(good, bodyLimit)) yield [what, url, sent(text)] as const;
    // The other fields of a privacy request are a level deeper.
    if ('kind' in good)
      for (const [what, text] of worstBodies({ ...(good.fields as object) }, bodyLimit - 200))
        yield [`fields ${what}`, url, sent(withField(good, 'fields', text))] as const;
  }
  expect(await faultsOf(requests())).toEqual({});
});

// The shell server's test has more headers.
test('no header and no URL takes long', async () => {
  const lookup = '/api/waitlist/by-email?email=';
  function* requests() {
    for (const header of ['Accept-Language', 'Cookie', 'Origin', 'User-Agent', 'X-Forwarded-For', 'X-Request-Id'])
      for (const [name, fill] of Object.entries(worstRuns)) {
        const headers = { [header]: fill(31_000).replaceAll('\n', ' ') };
        yield [`${header}: ${name}`, `${lookup}a@b.co`, { headers }] as const;
      }
    for (const start of ['/', '/api/waitlist/', lookup, '/api/docs/static/'])
      for (const [name, fill] of Object.entries(worstRuns))
        yield [`${start} ${name}`, start + fill(maxUrlLength - start.length).replaceAll(/[^!-~]/g, ''), {}] as const;
    for (const [name, fill] of Object.entries(worstValues))
      yield [name, lookup + encodeURIComponent(fill(1_200).toWellFormed()), {}] as const;
  }
  expect(await faultsOf(requests())).toEqual({});
});
