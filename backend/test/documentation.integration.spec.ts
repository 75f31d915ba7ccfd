import { type ApiCall, apiCalls } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { expect, test } from '@jest/globals';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend();

test('the OpenAPI document lists every call and event of the contract', async () => {
  const { body } = await backend.request<{
    readonly paths: Record<string, Record<string, { responses: object; parameters: object[] }>>;
    readonly webhooks: object;
  }>('GET', '/api/docs/openapi.json');
  const calls = Object.values<ApiCall>(apiCalls);
  for (const { method, path, success, errorResponses, parameters = {}, query = {} } of calls) {
    const operation = body.paths[path]?.[method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {})).toEqual([String(success.status), ...Object.keys(errorResponses)]);
    expect(operation?.parameters).toHaveLength(Object.keys({ ...parameters, ...query }).length);
  }
  expect(Object.values(body.paths).flatMap((operations) => Object.keys(operations))).toHaveLength(calls.length);
  expect(Object.keys(body.webhooks)).toEqual(Object.keys(eventKinds));
});

test('the API documentation loads every file from this server', async () => {
  const page = await (await fetch(`${backend.url}/api/docs`)).text();
  // The shell server has the home page and the icon.
  const files = [...page.matchAll(/(?:src|href)="(?!\/"|\/favicon)([^"]+)"/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(file).toMatch(/^\/api\/docs\/static\//);
    expect((await fetch(`${backend.url}${file}`)).status).toBe(200);
  }
});
