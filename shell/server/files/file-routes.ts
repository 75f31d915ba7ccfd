import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { releaseFileName } from '@daybook/contract/release';
import { shellManifestFileName } from '@daybook/contract/server';
import type { LiveSnapshot, SiteReleases } from '@daybook/releases/server';
import { requestIdHeader } from '@daybook/server';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFresh } from '../pages/cache-headers.ts';
import { acceptedEncoding } from '../pages/page-body.ts';
import { etagOf } from '../pages/page-cache.ts';
import type { ShellBuild } from '../pages/shell-build.ts';

interface FileRoutesOptions {
  readonly releases: SiteReleases;
  readonly shellBuild: ShellBuild;
  /** Has the shell's builds of other versions, for open pages of those versions. */
  readonly live: LiveSnapshot;
  /** Its files are served at the site's root. */
  readonly publicFolder: string;
  readonly development: boolean;
}

/** File names contain a content hash, so browsers may cache the files forever, and never ask whether they changed. */
const forGood = { maxAge: '365d', immutable: true, etag: false, lastModified: false } as const;
const notAtAll = { cacheControl: false } as const;
const revalidated = { maxAge: 0 } as const;
/** For files with a fixed name: cached for a day only, since the name has no content hash. */
const aDay = { maxAge: '1d' } as const;

/**
 * Reads `*` in Accept-Encoding: any encoding that the header does not name (RFC 9110, 12.5.3). @fastify/static reads it as
 * gzip, also where the header rejects gzip.
 */
function readWildcard({ request: { headers } }: FastifyReply): void {
  const accepted = headers['accept-encoding'];
  if (accepted?.includes('*')) headers['accept-encoding'] = acceptedEncoding(accepted);
}

const hashed = /\.[0-9a-f]{8}\.\w+$/;

/**
 * Serves the files of the shell's builds and of the stored releases, precompressed by the builds if the browser
 * accepts that, and those of the shell's public folder.
 */
export async function registerFiles(
  app: FastifyInstance,
  { releases, shellBuild, live, publicFolder, development }: FileRoutesOptions,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: shellBuild.folder,
    serve: false,
    preCompressed: true,
    index: false,
    dotfiles: 'deny',
  });
  const caching = development ? notAtAll : forGood;

  // Without the request's id: shared caches store these responses for other visitors.
  const sendHashed = (reply: FastifyReply, file: string, folder: string) => {
    readWildcard(reply);
    return reply.removeHeader(requestIdHeader).sendFile(file, folder, caching);
  };

  /** Another server may have just composed a page with a file that is not here yet. */
  async function find<Found>(lookUp: () => Found | undefined): Promise<Found | undefined> {
    const found = lookUp();
    if (found) return found;
    await releases.catchUp();
    return lookUp();
  }

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = request.params['*'];
    // For development servers elsewhere, which show pages in this shell.
    if (file === shellManifestFileName) return reply.sendFile(file, shellBuild.folder, revalidated);
    if (!hashed.test(file)) return reply.callNotFound();
    const isOwn = existsSync(path.join(shellBuild.folder, file));
    const folder = isOwn ? shellBuild.folder : await find(() => live.current.shellFolderOf(file));
    return folder ? sendHashed(reply, file, folder) : reply.callNotFound();
  });

  app.get<{ Params: { name: string; version: string; '*': string } }>(
    '/remotes/:name/:version/*',
    async (request, reply) => {
      const { name, version, '*': file } = request.params;
      const found = await find(() => releases.find(name, version));
      // Only files that the release lists; and its manifest, by which development servers elsewhere get them.
      if (found && file === releaseFileName) {
        // Not for good: a commit may be added to it later.
        const etag = etagOf(found.manifest);
        reply.headers({ 'Cache-Control': 'public, no-cache', ETag: etag });
        if (isFresh(request, etag)) return reply.code(304).send();
        return reply.type('application/json').send(found.manifest);
      }
      if (!found || !Object.hasOwn(found.release.files, file)) return reply.callNotFound();
      return sendHashed(reply, file, found.folder);
    },
  );

  for (const file of readdirSync(publicFolder))
    app.get(`/${file}`, (_, reply) => reply.sendFile(file, publicFolder, aDay));
}
