import { type ApiCall, apiCalls, errorBodySchema } from '@daybook/contract/api';
import { type EventType, eventKinds, eventOf } from '@daybook/contract/events';
import { site } from '@daybook/contract/site';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

const json = (schema: z.core.$ZodType) => ({ 'application/json': { schema } });

function openApiDocument() {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, call] of Object.entries<ApiCall>(apiCalls)) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(name, call) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1.0.0',
      description: 'The calls that the site makes, and the events that it sends.',
    },
    paths,
    webhooks: Object.fromEntries(Object.keys(eventKinds).map((type) => [type, { post: webhookOf(type as EventType) }])),
  });
}

function operationOf(operationId: string, call: ApiCall): ZodOpenApiOperationObject {
  const { parameters = {}, query = {}, body, success, messages } = call;
  const errorResponses = Object.entries(call.errorResponses).map(([status, description]) => [
    status,
    { description, content: json(errorBodySchema) },
  ]);
  return {
    operationId,
    tags: [call.path.split('/')[2] ?? ''],
    summary: call.summary,
    ...(messages && { description: `A page shows “${messages.success}” or “${messages.failure}”` }),
    requestParams: { path: z.object(parameters), query: z.object(query) },
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [success.status]: { description: success.description, content: json(success.body) },
      ...Object.fromEntries(errorResponses),
    },
  };
}

const webhookHeadersSchema = z.object({
  'webhook-id': z.string().describe('The same in every attempt: the idempotency key'),
  'webhook-timestamp': z.string().describe('Time of this attempt, in seconds since 1970'),
  'webhook-signature': z.string().describe('v1,<base64>; one for each secret, separated by spaces'),
});

const webhookOf = (type: EventType): ZodOpenApiOperationObject => ({
  summary: eventKinds[type].summary,
  requestParams: { header: webhookHeadersSchema },
  requestBody: { required: true, content: json(eventOf(type)) },
  responses: {
    '2XX': { description: 'Accepted' },
    '410': { description: 'Not wanted: this event is not retried' },
    default: { description: 'Retried for three days, with backoff; a Retry-After is honored' },
  },
});

export const documentationPath = '/api/docs';

const head =
  '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.svg">';
const drawing = '<path d="M0 6h6v76H0zM13 6h6v76h-6z"/><path fill="#0a6546" d="M26 6a38 38 0 0 1 0 76z"/>';
const logo = `<a class="logo" href="/"><svg viewBox="0 0 64 88" height="28" fill="#12211b" aria-hidden="true">${drawing}</svg>${site.name}</a>`;
const style = `
body { margin: 0; background: #f3f7f1; color: #12211b }
.logo { display: flex; gap: 0.5rem; align-items: center; max-width: 1460px; margin: 0 auto; padding: 1rem 20px; color: inherit;
  font: 600 1.5rem Georgia, serif; text-decoration: none }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag { color: #12211b; font-family: Georgia, serif }
`;

export async function registerDocumentation(server: FastifyInstance): Promise<void> {
  const document = openApiDocument();
  // The two packages have different types for the same OpenAPI document.
  await server.register(swagger, { mode: 'static', specification: { document: document as never } });
  await server.register(async (pages) => {
    pages.addHook('onSend', async (_request, _reply, payload) =>
      typeof payload === 'string'
        ? payload.replace('<head>', `<head>${head}`).replace('<body>', `<body>${logo}`)
        : payload,
    );
    await pages.register(swaggerUi, {
      routePrefix: documentationPath,
      uiConfig: { layout: 'BaseLayout' },
      theme: { title: `API | ${site.name}`, favicon: [], css: [{ filename: 'site.css', content: style }] },
    });
  });
  server.get(`${documentationPath}/openapi.json`, () => document);
}
