/**
 * The security headers of every answer that is data and no page: those of the API, and what is told of a request that
 * the HTTP parser refuses.
 */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;
