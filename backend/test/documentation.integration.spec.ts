import { type ApiCall, apiCalls } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { expect, test } from '@jest/globals';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend();

test('the OpenAPI document lists every call of the contract with its parameters and responses, and every event', async () => {
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
  const required = ['entryId', 'email', 'signedUpAt', 'resubscribed', 'suspected'];
  const schema = { properties: { type: { const: 'signup.created' }, data: { required } } };
  const parameters = [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }];
  const post = { parameters, requestBody: { content: { 'application/json': { schema } } } };
  expect(body.webhooks).toMatchObject({ 'signup.created': { post } });
});

test('the API documentation page loads every file from this server', async () => {
  const page = await (await fetch(`${backend.url}/api/docs`)).text();
  // The shell server has the home page and the icon.
  const files = [...page.matchAll(/(?:src|href)="(?!\/"|\/favicon)([^"]+)"/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(file).toMatch(/^\/api\/docs\/static\//);
    expect((await fetch(`${backend.url}${file}`)).status).toBe(200);
  }
});

test('the API documentation has a title, a logo, a viewport, and calls by tag', async () => {
  const page = await (await fetch(`${backend.url}/api/docs`)).text();
  for (const line of [
    '<title>API | Daybook</title>',
    '<meta name="viewport" content="width=device-width',
    '/favicon.svg',
  ])
    expect(page).toContain(line);
  const { body } = await backend.request<{ readonly paths: Record<string, Record<string, { tags?: string[] }>> }>(
    'GET',
    '/api/docs/openapi.json',
  );
  const tags = Object.values(body.paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags));
  expect(new Set(tags)).toEqual(new Set(['waitlist', 'emergency-webhook', 'privacy-requests']));
});

test('the call that stores name and ZIP code has the messages of docs/product.md', async () => {
  const { body } = await backend.request<{ readonly paths: Record<string, { readonly put?: object }> }>(
    'GET',
    '/api/docs/openapi.json',
  );
  expect(body.paths['/api/waitlist/{id}']?.put).toMatchObject({
    description: 'A page shows “Information Saved!” or “Failed to save your information. Please try again.”',
  });
});
