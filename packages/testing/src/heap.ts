import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes in use on the heap, after collecting garbage. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
