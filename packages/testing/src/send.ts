import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type SiteResponse = Awaited<ReturnType<typeof send>>;

export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

/** Sends a request with its path unchanged, on a connection of its own: `fetch` would normalize dot segments. */
export async function send(url: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const { hostname, port } = new URL(url);
  const outgoing = request({ hostname, port, path, method, headers, agent: false });
  const response = once(outgoing, 'response');
  // For a string body, Node would also write the headers in its encoding instead of one byte per character.
  outgoing.end(typeof body === 'string' ? Buffer.from(body) : body);
  const [incoming] = (await response) as [IncomingMessage];
  outgoing.on('error', () => undefined);
  const whole = await buffer(incoming);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: whole, text: String(whole) };
}
