import { hash } from 'node:crypto';
import { callbackify } from 'node:util';
import { RegistryError } from '@daybook/releases/server';
import { deriveKey } from '@daybook/server';
import csrfProtection from '@fastify/csrf-protection';
import fastifySession, { type FastifySessionOptions } from '@fastify/session';
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from 'fastify';
import { LruMap } from 'toad-cache';
import { maxSessions, type SiteRegistry } from '../../registry/site-registry.ts';
import type { SignedInOperator } from '../operator-access.ts';
import { releasesPageUrl } from '../releases-urls.ts';

declare module 'fastify' {
  interface Session {
    operator?: string;
    /** Name of the token that opened it; empty for the unnamed one. */
    tokenName?: string;
  }
}

/** In ms: a session ends eight hours after signing in, even if it is in use. */
const sessionLength = 8 * 60 * 60_000;

/** The sessions that this server has seen, for the time that the registry can't be used. */
class RememberedSessions {
  /** By token, as in the registry: the sign-ins of one operator push out nobody else's session. */
  readonly #byToken = new Map<string, LruMap<Session>>();

  get(key: string): Session | undefined {
    for (const sessions of this.#byToken.values()) {
      const found = sessions.get(key);
      if (found) return found;
    }
    return undefined;
  }

  set(key: string, session: Session): void {
    const { tokenName = '' } = session;
    const sessions = this.#byToken.get(tokenName) ?? new LruMap<Session>(maxSessions);
    this.#byToken.set(tokenName, sessions);
    sessions.set(key, session);
  }

  delete(key: string): void {
    for (const sessions of this.#byToken.values()) sessions.delete(key);
  }
}

/**
 * Stores sessions where all shell servers share them, under hashes of their ids: reading the store opens no session. While
 * it can't be read, signed-in operators of this server still see the page.
 */
function sessionStore(registry: SiteRegistry): NonNullable<FastifySessionOptions['store']> {
  const keyOf = (id: string) => hash('sha256', id);
  const remembered = new RememberedSessions();

  return {
    set: callbackify(async (id: string, session: Session) => {
      // As it is stored: the plugin changes the object later.
      const content = JSON.parse(JSON.stringify(session)) as Session;
      const expiresAt = new Date(Date.now() + sessionLength);
      await registry.writeSession(keyOf(id), session.tokenName ?? '', content, expiresAt);
      remembered.set(keyOf(id), content);
    }),
    get: callbackify(async (id: string): Promise<Session | null> => {
      const key = keyOf(id);
      const session = await registry
        .readSession(key)
        .then((found) => {
          if (found === undefined) remembered.delete(key);
          else remembered.set(key, found as Session);
          return found as Session | undefined;
        })
        .catch((error: unknown) => {
          const known = remembered.get(key);
          if (known && error instanceof RegistryError) return known;
          throw error;
        });
      // The plugin would store a new session in the place of an expired one.
      return session && new Date(session.cookie.expires ?? 0).getTime() > Date.now() ? session : null;
    }),
    destroy: callbackify(async (id: string) => {
      await registry.removeSession(keyOf(id));
      remembered.delete(keyOf(id));
    }),
  };
}

export interface SessionOptions {
  /** Cookies and CSRF tokens are signed with keys derived from it. */
  readonly secret: string;
  /** Whether browsers reach the site over https; does not depend on what a proxy states about the request. */
  readonly isHttps: boolean;
  readonly registry: SiteRegistry;
}

/** A CSRF token is valid for one session, or for signing in. */
const csrfSubjectOf = ({ session }: FastifyRequest) =>
  session.operator === undefined ? 'signed out' : session.sessionId;

/** Adds sessions and CSRF tokens to the routes of the operator's pages. */
export async function registerSessions(
  app: FastifyInstance,
  { secret, isHttps, registry }: SessionOptions,
): Promise<void> {
  // Not __Host-: it requires the path /, which would send the session with every page and through the API proxy.
  const name = `${isHttps ? '__Secure-' : ''}operator`;
  const cookie = { path: releasesPageUrl, httpOnly: true, sameSite: 'strict', secure: isHttps } as const;
  await app.register(fastifySession, {
    cookieName: name,
    cookie: { ...cookie, maxAge: sessionLength },
    secret: deriveKey(secret, 'operator session').toString('base64url'),
    store: sessionStore(registry),
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
export async function openSession(request: FastifyRequest, { name, tokenName }: SignedInOperator): Promise<void> {
  await request.session.regenerate();
  request.session.operator = name;
  request.session.tokenName = tokenName;
  // Explicit: the plugin does not save a Secure session automatically if the request seems to be plain http.
  await request.session.save();
}
