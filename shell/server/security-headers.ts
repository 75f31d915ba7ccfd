import { hash } from 'node:crypto';
import { dataHeaders } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

/** Returns the source by which a page's security policy allows an inline script or style. */
export const hashSource = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Allows only inline scripts and styles with these hash sources, nothing from other origins, and no framing. */
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
    // The site has no default policy; extensions create one, and would fail in the page.
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

/** A page loads several files, and the headers of documents would add 3 kB. */
const isFileRoute = (route = '') => /^\/(?:assets|remotes)\//.test(route);

/** HSTS for a year. */
const httpsOnly = 'max-age=31536000';

/** Sets the security headers of every response that it does not have yet. */
export function registerSecurityHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps) reply.header('Strict-Transport-Security', httpsOnly);
    const isApi = isOfApi(request.url);
    // Pages have set their own security policy already.
    const isData = isApi || isFileRoute(request.routeOptions.url);
    for (const [name, value] of Object.entries(isData ? dataHeaders : securityHeaders))
      if (!reply.hasHeader(name)) reply.header(name, value);
    if (isApi && !reply.hasHeader('Cache-Control') && reply.statusCode >= 400)
      reply.header('Cache-Control', 'no-store');
    done();
  });
}
