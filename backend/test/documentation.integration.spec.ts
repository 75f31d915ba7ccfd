import { type ApiCall, apiCalls } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { describe, expect, test } from '@jest/globals';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend();

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { responses: object; parameters: object[] }>>;
  webhooks: object;
};

describe('the OpenAPI document', () => {
  test('lists every call of the contract with its parameters and responses', async () => {
    const { body } = await backend.request<Document>('GET', '/api/docs/openapi.json');
    const calls = Object.values<ApiCall>(apiCalls);
    for (const { method, path, success, errorResponses, parameters = {}, query = {} } of calls) {
      const operation = body.paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual([String(success.status), ...Object.keys(errorResponses)]);
      expect(operation?.parameters).toHaveLength(Object.keys({ ...parameters, ...query }).length);
    }
    const listed = Object.values(body.paths).flatMap((operations) => Object.keys(operations));
    expect(listed).toHaveLength(10);
  });

  test('lists every event with its headers and its data', async () => {
    const { body } = await backend.request<Document>('GET', '/api/docs/openapi.json');
    expect(Object.keys(body.webhooks)).toEqual(Object.keys(eventKinds));
    expect(body.webhooks).toMatchObject({
      'signup.created': {
        post: {
          parameters: [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  properties: {
                    type: { const: 'signup.created' },
                    data: { required: ['entryId', 'email', 'signedUpAt', 'resubscribed', 'suspected'] },
                  },
                },
              },
            },
          },
        },
      },
    });
  });
});

describe('the API documentation page', () => {
  test('loads every file from this server', async () => {
    const page = await (await fetch(`${backend.url}/api/docs`)).text();
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/api\/docs\/static\//);
      const response = await fetch(`${backend.url}${file}`);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      expect(response.status).toBe(200);
    }
  });
});
