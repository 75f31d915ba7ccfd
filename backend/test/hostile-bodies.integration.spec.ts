import { type ApiCall, apiCalls, errorBodySchema } from '@daybook/contract/api';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anEntryId } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

const writes = Object.values<ApiCall>(apiCalls).filter(({ method }) => method !== 'GET');

/** Any JSON value with the names of the calls' fields, at any depth. */
const names = fc.constantFrom(
  'email',
  'kind',
  'fields',
  'comments',
  'selectedOffers',
  'source',
  '__proto__',
  'toString',
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, -1.5e300, '', 'reader@example.com', '\0', 'unsubscribe'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const bodies = fc.oneof(
  fc.constantFrom(
    undefined,
    '',
    'null',
    '[]',
    '{',
    '"',
    '{"__proto__":{"email":"a@b.co"}}',
    '['.repeat(50_000),
    'x'.repeat(200_000),
  ),
  values.map((value) => JSON.stringify(value)),
  fc.webQueryParameters(),
  fc.string({ unit: 'binary' }),
);
const types = fc.constantFrom(
  undefined,
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'json;;;',
);

test('no body of any content type to any call is a server error', async () => {
  const id = String(await anEntryId(backend));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writes), bodies, types, async ({ method, path }, body, type) => {
      const { status, body: response } = await backend.request(
        method,
        path.replace('{id}', id).replace('{step}', '2'),
        {
          ...(body !== undefined && { body }),
          ...(type !== undefined && { headers: { 'content-type': type } }),
        },
      );
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(errorBodySchema.parse(response).statusCode).toBe(status);
    }),
    { numRuns: 500 },
  );
});
