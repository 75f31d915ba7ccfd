import { readFileSync } from 'node:fs';
import path from 'node:path';
import { componentsPageFileName } from '@daybook/contract/server';
import type { FastifyInstance } from 'fastify';

/** Serves the page of all components, `/_components`; 404 if the shell was built for production. */
export function registerComponentsPage(app: FastifyInstance, shellFolder: string): void {
  app.get('/_components', (_request, reply) => {
    try {
      const page = readFileSync(path.join(shellFolder, componentsPageFileName));
      return reply.type('text/html').header('Cache-Control', 'no-store').send(page);
    } catch {
      return reply
        .code(404)
        .send('Only a development build of the shell has this page: npm run dev, without the name of a remote.\n');
    }
  });
}
