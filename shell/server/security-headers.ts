import type { FastifyInstance } from 'fastify';
import { isOfApi } from './failures.ts';

/** No inline script or style, nothing from elsewhere, in no other site's frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
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
  'Content-Security-Policy': contentSecurityPolicy,
  // No script without an integrity value, whoever asks for it. Chromium 156 does not know 'style' yet, and warns of it.
  'Integrity-Policy': 'blocked-destinations=(script)',
  'X-Content-Type-Options': 'nosniff',
  // Addresses of the journey carry an e-mail address: no other site shall read them.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Gives every answer of this server its security headers; those of the API are the backend's own. */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (!isOfApi(request.url)) reply.headers(securityHeaders);
  });
}
