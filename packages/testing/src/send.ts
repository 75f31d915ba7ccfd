import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface SiteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

/** Sends a request with its path unchanged, on a connection of its own: `fetch` would normalize dot segments. */
export function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<SiteResponse> {
  const { hostname, port } = new URL(url);
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
    // For a string body, Node would also write the headers in its encoding instead of one byte per character.
    outgoing.end(typeof body === 'string' ? Buffer.from(body) : body);
  });
}
