import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from './openapi-document.ts';

const path = '/api/docs';

/**
 * Serves the OpenAPI document at /api/docs/openapi.json, and pages to read and try it at /api/docs. Every file
 * comes from here, none from another site.
 */
export async function registerDocumentation(app: NestFastifyApplication): Promise<void> {
  const document = openApiDocument();
  // The two packages have types of their own for the same OpenAPI document.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: path });
  app
    .getHttpAdapter()
    .getInstance()
    .get(`${path}/openapi.json`, () => document);
}
