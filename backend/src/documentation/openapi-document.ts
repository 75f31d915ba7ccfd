import { type ApiCall, errorBodySchema, waitlistCalls } from '@daybook/contract';
import * as z from 'zod/mini';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

/** The OpenAPI document of the contract's calls, made from the schemas that check the requests. */
export function openApiDocument() {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, call] of Object.entries<ApiCall>(waitlistCalls)) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(name, call) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Daybook', version: '1.0.0', description: 'The calls that the site makes.' },
    paths,
  });
}

function operationOf(operationId: string, call: ApiCall): ZodOpenApiOperationObject {
  const { parameters = {}, query = {}, body, success } = call;
  const refusals = Object.entries(call.refusals).map(([status, description]) => [
    status,
    { description, content: json(errorBodySchema) },
  ]);
  return {
    operationId,
    summary: call.summary,
    requestParams: { path: z.object(parameters), query: z.object(query) },
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [success.status]: { description: success.description, content: json(success.body) },
      ...Object.fromEntries(refusals),
    },
  };
}

const json = (schema: z.ZodMiniType) => ({ 'application/json': { schema } });
