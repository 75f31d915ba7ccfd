import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** What belongs to the request under way, for code that is not given the request. */
interface RequestContext {
  /** Writes lines with the request's id. */
  readonly log: FastifyBaseLogger;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** The request that the running code works for; `undefined` outside of any. */
export const requestContext = (): RequestContext | undefined => requests.getStore();

/** Where a request keeps its context. */
const ownContext = Symbol('context');
type ContextHolder = FastifyRequest & { [ownContext]?: RequestContext };

/** Lets all that a request sets off find its context. */
export function keepRequestContext(server: FastifyInstance): void {
  server.decorateRequest(ownContext, null);
  server.addHook('onRequest', (request: ContextHolder, _reply, done) => {
    const context = { log: request.log };
    request[ownContext] = context;
    requests.run(context, done);
  });
  // A body is read on behalf of its connection, which belongs to no request.
  server.addHook('preValidation', (request: ContextHolder, _reply, done) => {
    const context = request[ownContext];
    if (context) requests.run(context, done);
    else done();
  });
}
