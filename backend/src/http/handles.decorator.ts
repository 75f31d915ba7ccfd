import type { ApiCall } from '@daybook/contract/api';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type * as z from 'zod';
import type { CallLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly call?: ApiCall;
    readonly limits?: CallLimits;
  }
}

/** A decorator of methods that respond to a call with the body of its contract. */
type HandlerDecorator<Call extends ApiCall> = (
  controller: object,
  name: string,
  method: TypedPropertyDescriptor<(...parameters: never[]) => Promise<z.infer<Call['success']['body']>>>,
) => void;

/**
 * Registers a controller's method as the handler of a call of the contract. It gets a valid body.
 *
 * @param limits rate limits, besides that of all writes
 */
export function Handles<Call extends ApiCall>(call: Call, limits: CallLimits = {}): HandlerDecorator<Call> {
  const path = call.path.replace(/\{(\w+)\}/g, ':$1');
  return applyDecorators(
    RequestMapping({ path, method: RequestMethod[call.method] }),
    HttpCode(call.success.status),
    RouteConfig({ call, limits }),
  );
}
