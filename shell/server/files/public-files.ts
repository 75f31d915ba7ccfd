import { readdirSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Files that other parties look for under a fixed name: kept for a day, since their name says nothing of their content. */
const aDay = { maxAge: '1d' } as const;

/** Serves each file of the shell's public folder at the site's root. */
export function registerPublicFiles(app: FastifyInstance, folder: string): void {
  for (const file of readdirSync(folder)) {
    app.get(`/${file}`, (_, reply) => reply.sendFile(file, folder, aDay));
  }
}
