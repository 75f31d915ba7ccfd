import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '@daybook/contract/manifest';
import { releaseFileName } from '@daybook/contract/release';
import { shellManifestFileName } from '@daybook/contract/server';
import { requestIdHeader } from '@daybook/server';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import mime from 'mime';
import { etagOf, isFresh } from './pages/cache-headers.ts';
import { acceptedEncoding } from './pages/compression.ts';
import type { ShellBuild } from './pages/shell-build.ts';
import type { Blobs } from './releases/blobs.ts';
import type { LiveSite } from './releases/live-site.ts';

interface FilesOptions {
  readonly live: LiveSite;
  readonly blobs: Blobs;
  readonly shellBuild: ShellBuild;
  readonly publicFolder: string;
  readonly development: boolean;
}

const endings = { br: '.br', gzip: '.gz' } as const;

export async function registerFiles(app: FastifyInstance, options: FilesOptions): Promise<void> {
  const { live, blobs, shellBuild, publicFolder, development } = options;
  await app.register(fastifyStatic, { root: publicFolder, serve: false, index: false, dotfiles: 'deny' });

  /** Sends a file whose content never changes; `find` returns a file's hash by its name. */
  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    find: (name: string) => string | undefined,
  ) {
    if (!find(name)) await live.catchUp();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    const compressed = encoding === 'identity' ? undefined : find(name + endings[encoding]);
    const hash = compressed ?? find(name);
    if (hash === undefined) return reply.callNotFound();
    const content = await blobs.get(hash);
    if (compressed) reply.header('Content-Encoding', encoding);
    if (find(`${name}.br`) ?? find(`${name}.gz`)) reply.header('Vary', 'Accept-Encoding');
    if (!development) reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    const type = mime.getType(name) ?? 'application/octet-stream';
    // Without the request's id: shared caches store these responses for other visitors.
    return reply
      .removeHeader(requestIdHeader)
      .type(/^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type)
      .send(content);
  }

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = request.params['*'];
    if (name === shellManifestFileName)
      return reply
        .header('Cache-Control', 'public, max-age=0')
        .type('application/json')
        .send(readFileSync(path.join(shellBuild.folder, shellManifestFileName)));
    return sendFile(request, reply, name, (each) => shellBuild.hashOf(each) ?? live.latest.shellFile(each));
  });

  app.get<{ Params: { remote: string; version: string; '*': string } }>(
    '/remotes/:remote/:version/*',
    async (request, reply) => {
      const { remote, version, '*': name } = request.params;
      const find = () => live.latest.find(remote, version);
      if (!find()) await live.catchUp();
      const found = find();
      // For development servers elsewhere, which show pages of this site.
      if (found && name === releaseFileName) {
        const etag = etagOf(found.manifest);
        reply.headers({ 'Cache-Control': 'public, no-cache', ETag: etag });
        return isFresh(request, etag) ? reply.code(304).send() : reply.type('application/json').send(found.manifest);
      }
      const { files = {} } = found?.release ?? {};
      return sendFile(request, reply, name, (each) =>
        Object.hasOwn(files, each) ? hashOf(files[each]?.integrity ?? '') : undefined,
      );
    },
  );

  for (const file of readdirSync(publicFolder))
    app.get(`/${file}`, (_, reply) => reply.sendFile(file, publicFolder, { maxAge: '1d' }));
}
