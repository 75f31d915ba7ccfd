import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';

/** What of Fastify's options a server of Node's is made with. */
interface HttpServerOptions {
  readonly http?: ServerOptions;
  /** In ms, like the two below. */
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionTimeout?: number;
}

/** A server as Fastify would make it: a `serverFactory` gets the options, and has to heed them itself. */
export function createHttpServer(
  listener: RequestListener,
  { http = {}, keepAliveTimeout = 0, requestTimeout = 0, connectionTimeout = 0 }: HttpServerOptions,
): Server {
  const server = createServer(http, listener);
  server.keepAliveTimeout = keepAliveTimeout;
  server.requestTimeout = requestTimeout;
  return server.setTimeout(connectionTimeout);
}
