import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ShellBuild } from '../pages/shell-build.ts';
import { folderOfFile, type SiteReleases } from '../releases/site-releases.ts';
import type { KeptShellBuilds } from './kept-shell-builds.ts';

export interface FileRoutesOptions {
  readonly releases: SiteReleases;
  readonly shellBuild: ShellBuild;
  /** The builds of other versions, for pages that are theirs. */
  readonly keptBuilds?: KeptShellBuilds | undefined;
  readonly development: boolean;
}

/** In their names the files carry their content's hash, so a browser may keep them for good. */
const forGood = { maxAge: '365d', immutable: true } as const;
const notAtAll = { cacheControl: false } as const;

const hashed = /\.[0-9a-f]{8}\.\w+$/;

/**
 * Serves the files of the shell's builds and of the kept releases, in the compressed form that the builds
 * made where the browser takes it.
 */
export async function registerFiles(
  app: FastifyInstance,
  { releases, shellBuild, keptBuilds, development }: FileRoutesOptions,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: shellBuild.folder,
    serve: false,
    preCompressed: true,
    index: false,
    dotfiles: 'deny',
  });
  const caching = development ? notAtAll : forGood;

  const sendHashed = (reply: FastifyReply, file: string, folder: string) => reply.sendFile(file, folder, caching);

  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const file = request.params['*'];
    if (!hashed.test(file)) return reply.callNotFound();
    const isOwn = existsSync(path.join(shellBuild.folder, file));
    const folder = isOwn ? shellBuild.folder : keptBuilds?.folderOf(file);
    return folder ? sendHashed(reply, file, folder) : reply.callNotFound();
  });

  app.get<{ Params: { name: string; version: string; '*': string } }>('/remotes/:name/:version/*', (request, reply) => {
    const { name, version, '*': file } = request.params;
    const folder = folderOfFile(releases, name, version, file);
    return folder ? sendHashed(reply, file, folder) : reply.callNotFound();
  });
}

/** Files that other parties look for under a fixed name: kept for a day, since their name says nothing of their content. */
const aDay = { maxAge: '1d' } as const;

/** Serves each file of the shell's public folder at the site's root. */
export function registerPublicFiles(app: FastifyInstance, folder: string): void {
  for (const file of readdirSync(folder)) {
    app.get(`/${file}`, (_, reply) => reply.sendFile(file, folder, aDay));
  }
}
