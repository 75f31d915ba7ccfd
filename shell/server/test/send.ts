import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/**
 * Sends a request over a real socket, its path as it is written: `fetch` would put dot segments and broken
 * escapes right before they reach the server. Each request has a connection of its own.
 */
export function send(
  address: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const whole = Buffer.concat(chunks);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: whole, text: String(whole) });
      });
    });
    outgoing.on('error', reject);
    // With a text, Node would write the headers in its encoding, too, and not each character as a byte.
    outgoing.end(typeof body === 'string' ? Buffer.from(body) : body);
  });
}
