import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { type ApiCall, apiCalls } from '../api/index.ts';
import { siteSettingsSchema } from '../server.ts';
import { offerIds } from '../site.ts';
import { apiShape } from './api-number.ts';

/** A schema without its texts and its examples. */
const shapeOf = (schema: z.core.$ZodType) =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) =>
    ['description', '$schema'].includes(key) ? undefined : value,
  );

test('apiNumber is raised when the contract changes', () => {
  const calls = Object.entries<ApiCall>(apiCalls).map(
    ([name, { method, path, parameters = {}, query = {}, body = z.undefined(), bodyLimit, success }]) => [
      ...[name, method, path, bodyLimit],
      ...[z.object(parameters), z.object(query), body, success.body].map(shapeOf),
    ],
  );
  const shape = hash('sha256', JSON.stringify([calls, shapeOf(siteSettingsSchema), offerIds])).slice(0, 16);
  const advice = 'raise apiNumber if something was added, then write this shape beside it';
  expect({ advice, shape }).toEqual({ advice, shape: apiShape });
});
