import type { ApiCall } from '@daybook/contract/api';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';

/**
 * Registers a controller's method as the handler of a call of the contract: its HTTP method, full path and success
 * status.
 */
export function Handles(call: ApiCall): MethodDecorator {
  const path = call.path.replace(/\{(\w+)\}/g, ':$1');
  return applyDecorators(RequestMapping({ path, method: RequestMethod[call.method] }), HttpCode(call.success.status));
}
