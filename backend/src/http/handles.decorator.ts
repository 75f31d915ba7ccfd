import type { ApiCall } from '@daybook/contract';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';

/**
 * Mounts a controller's method as the handler of a call of the contract: its method, its full path and the status
 * of its success.
 */
export function Handles(call: ApiCall): MethodDecorator {
  const path = call.path.replace(/\{(\w+)\}/g, ':$1');
  return applyDecorators(RequestMapping({ path, method: RequestMethod[call.method] }), HttpCode(call.success.status));
}
