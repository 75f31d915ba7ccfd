import { dataHeaders } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

/** What a document holds itself and may run or style with; sources by hash. */
export interface InlineSources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** No inline script or style but those whose hash is named, nothing from elsewhere, in no other site's frame. */
export const contentSecurityPolicy = ({ scripts, styles }: InlineSources) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Texts become scripts' addresses through the shell's one policy alone, and never markup or code.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

export const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy({ scripts: [], styles: [] }),
  // No script without an integrity value, whoever asks for it. Chromium 156 does not know 'style' yet, and warns of it.
  'Integrity-Policy': 'blocked-destinations=(script)',
  'X-Content-Type-Options': 'nosniff',
  // Addresses of the journey carry an e-mail address: no other site shall read them.
  'Referrer-Policy': 'same-origin',
  // For what does not know frame-ancestors.
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** A browser that came by https once comes by nothing else for a year. */
const httpsOnly = 'max-age=31536000';

/**
 * Gives every answer of this server its security headers. Those of the API are the backend's own, or those of data
 * where this server answers for it.
 *
 * @param isHttps whether visitors reach the site over https
 */
export function registerSecurityHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps) reply.header('Strict-Transport-Security', httpsOnly);
    const isApi = isOfApi(request.url);
    // A page has a security policy of its own.
    for (const [name, value] of Object.entries(isApi ? dataHeaders : securityHeaders))
      if (!reply.hasHeader(name)) reply.header(name, value);
    if (isApi && !reply.hasHeader('Cache-Control') && reply.statusCode >= 400)
      reply.header('Cache-Control', 'no-store');
    done();
  });
}
