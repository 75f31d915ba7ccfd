import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

/** What a static server serves: the files of a folder, compressed where they have siblings, and pages. */
export interface StaticSite {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Files of the folder by the path that they are the page of. */
  readonly pages: Readonly<Record<string, string>>;
}

/** The file of a static server's folder that describes it. */
export const staticSiteFileName = 'static-site.json';

const forGood = { maxAge: '365d', immutable: true } as const;
const notAtAll = { cacheControl: false } as const;

/** Serves the folder that the first parameter names on `PORT`, by @fastify/static alone. */
async function main(folder: string): Promise<void> {
  const { headers, pages } = JSON.parse(readFileSync(path.join(folder, staticSiteFileName), 'utf8')) as StaticSite;
  const app = Fastify();
  await app.register(fastifyStatic, { root: folder, preCompressed: true, index: false, ...forGood });
  app.addHook('onSend', async (_, reply) => void reply.headers(headers));
  for (const [address, file] of Object.entries(pages))
    app.get(address, (_, reply) => reply.header('Cache-Control', 'no-cache').sendFile(file, folder, notAtAll));
  await app.listen({ host: 'localhost', port: Number(process.env.PORT) });
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? '');
