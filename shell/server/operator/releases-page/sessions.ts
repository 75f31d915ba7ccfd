import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callbackify } from 'node:util';
import { deriveKey } from '@daybook/server';
import csrfProtection from '@fastify/csrf-protection';
import fastifySession, { type FastifySessionOptions } from '@fastify/session';
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from 'fastify';
import { releasesPageAddress } from './change-forms.ts';

declare module 'fastify' {
  interface Session {
    operator?: string;
  }
}

/** In ms: a session ends eight hours after signing in, even if it is in use. */
const sessionLength = 8 * 60 * 60_000;

/** Above this number, the oldest session ends: repeated sign-ins must not fill the disk. */
const maxSessions = 1_000;

/**
 * Stores sessions as files that all shell servers of one releases folder share. File names are hashes of the session
 * ids, so that reading the folder opens no session.
 */
function sessionStore(folder: string): NonNullable<FastifySessionOptions['store']> {
  const fileOf = (id: string) => path.join(folder, hash('sha256', id));

  async function removeOld(): Promise<void> {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const file = path.join(folder, name);
        // Another server may have just removed it.
        return { file, storedAt: (await stat(file).catch(nothingIfMissing))?.mtimeMs ?? 0 };
      }),
    );
    const expired = Date.now() - sessionLength;
    const old = files
      .toSorted((one, other) => other.storedAt - one.storedAt)
      .filter(({ storedAt }, index) => index >= maxSessions - 1 || storedAt < expired);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }

  return {
    set: callbackify(async (id: string, session: Session) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeOld();
      await writeFile(fileOf(id), JSON.stringify(session), { mode: 0o600 });
    }),
    get: callbackify(async (id: string): Promise<Session | null> => {
      const text = await readFile(fileOf(id), 'utf8').catch(nothingIfMissing);
      const session: Session | null = text === undefined ? null : JSON.parse(text);
      // The plugin would store a new session in the place of an expired one.
      return new Date(session?.cookie.expires ?? 0).getTime() > Date.now() ? session : null;
    }),
    destroy: callbackify((id: string) => rm(fileOf(id), { force: true })),
  };
}

function nothingIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

export interface SessionOptions {
  /** Cookies and CSRF tokens are signed with keys derived from it. */
  readonly secret: string;
  /** Whether browsers reach the site over https; does not depend on what a proxy states about the request. */
  readonly isHttps: boolean;
  readonly folder: string;
}

/** A CSRF token is valid for one session, or for signing in. */
const csrfSubjectOf = ({ session }: FastifyRequest) =>
  session.operator === undefined ? 'signed out' : session.sessionId;

/** Adds sessions and CSRF tokens to the routes of the operator's pages. */
export async function registerSessions(
  app: FastifyInstance,
  { secret, isHttps, folder }: SessionOptions,
): Promise<void> {
  // Not __Host-: it requires the path /, which would send the session with every page and through the API proxy.
  const name = `${isHttps ? '__Secure-' : ''}operator`;
  const cookie = { path: releasesPageAddress, httpOnly: true, sameSite: 'strict', secure: isHttps } as const;
  await app.register(fastifySession, {
    cookieName: name,
    cookie: { ...cookie, maxAge: sessionLength },
    secret: deriveKey(secret, 'operator session').toString('base64url'),
    store: sessionStore(folder),
    saveUninitialized: false,
    rolling: false,
  });
  await app.register(csrfProtection, {
    cookieKey: `${name}-csrf`,
    cookieOpts: cookie,
    csrfOpts: { hmacKey: deriveKey(secret, 'operator CSRF token'), userInfo: true },
    getUserInfo: csrfSubjectOf,
  });
}

export const createCsrfToken = (request: FastifyRequest, reply: FastifyReply): string =>
  reply.generateCsrf({ userInfo: csrfSubjectOf(request) });

/** Opens a session under a new id, which prevents session fixation. */
export async function openSession(request: FastifyRequest, operator: string): Promise<void> {
  await request.session.regenerate();
  request.session.operator = operator;
  // Explicit: the plugin does not save a Secure session automatically if the request seems to be plain http.
  await request.session.save();
}
