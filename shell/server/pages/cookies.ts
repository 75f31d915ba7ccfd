import type { FastifyRequest } from 'fastify';

/** Browsers send cookies with a longer path first, so the first value may be junk. */
export const cookieValues = ({ headers, server }: FastifyRequest, name: string): readonly string[] =>
  (headers.cookie ?? '').split(';').flatMap((each) => server.parseCookie(each)[name] ?? []);
