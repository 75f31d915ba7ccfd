import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The header by which the id of a request goes from server to server, and back to whoever asked. */
export const requestIdHeader = 'x-request-id';

/** What an id of somebody else may look like: nothing that could be an address or break a line of the log. */
const acceptable = /^[\w.:-]{1,64}$/;

/** Bytes of randomness in an id. */
const idLength = 9;

/** Of so many ids at once the randomness is got: to ask the system for each costs more than the rest of a page's answer. */
const randomness = Buffer.alloc(512 * idLength);
let used = randomness.length;

function newId(): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  used += idLength;
  return randomness.toString('base64url', used - idLength, used);
}

/**
 * The id of a request, by which its lines in the logs of all servers are found: that of the proxy in front where it
 * is trusted, else a new one.
 */
export function requestIdOf(headers: IncomingHttpHeaders, isTrusted: boolean): string {
  const given = headers[requestIdHeader];
  return isTrusted && typeof given === 'string' && acceptable.test(given) ? given : newId();
}
