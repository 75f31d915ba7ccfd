import { hash } from 'node:crypto';
import { dataHeaders } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

export const hashSource = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

export const contentSecurityPolicy = (inline: Readonly<Record<'scripts' | 'styles', readonly string[]>>) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inline.scripts].join(' '),
    ["style-src 'self'", ...inline.styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Extensions create the default policy, and would fail in the page.
    "require-trusted-types-for 'script'",
    'trusted-types daybook default',
  ].join('; ');

export const securityHeaders = {
  ...dataHeaders,
  'Content-Security-Policy': contentSecurityPolicy({ scripts: [], styles: [] }),
  // No script without an integrity value. Not for styles: Chromium 156 warns about the unknown value.
  'Integrity-Policy': 'blocked-destinations=(script)',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** The headers of documents would add 3 kB to the files of a page. */
const isFileRoute = (route = '') => /^\/(?:assets|remotes)\//.test(route);

const httpsOnly = 'max-age=31536000';

/** Sets the security headers of every response that it does not have yet. */
export function registerSecurityHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps) reply.header('Strict-Transport-Security', httpsOnly);
    const isApi = isOfApi(request.url);
    const isData = isApi || isFileRoute(request.routeOptions.url);
    for (const [name, value] of Object.entries(isData ? dataHeaders : securityHeaders))
      if (!reply.hasHeader(name)) reply.header(name, value);
    if (isApi && !reply.hasHeader('Cache-Control') && reply.statusCode >= 400)
      reply.header('Cache-Control', 'no-store');
    done();
  });
}
