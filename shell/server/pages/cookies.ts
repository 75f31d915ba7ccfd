import type { FastifyRequest } from 'fastify';

/** Returns all values of a cookie. The first one may be junk: browsers send cookies with a longer path first. */
export const cookieValues = ({ headers, server }: FastifyRequest, name: string): readonly string[] =>
  (headers.cookie ?? '').split(';').flatMap((each) => server.parseCookie(each)[name] ?? []);
