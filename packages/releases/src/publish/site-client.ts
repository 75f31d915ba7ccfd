import { readFile } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseFileName } from '@daybook/contract/release';
import { CommandError } from '@daybook/server/command-line';
import { sizeOf } from '../deployments/formats.ts';
import { signatureFileName } from '../manifest/file-names.ts';
import { type AskedRequest, signRequest } from '../signature/request-signature.ts';
import type { ReleaseSigner } from '../signature/signature.ts';
import type { ReleaseBuild } from './release-build.ts';

/** Who asks a site: an operator by a token, or a remote's team by its key. */
export type Credentials = { readonly token: string } | { readonly signer: ReleaseSigner };

/** What a site responds to a change: what visitors get now, in sentences; or why it was rejected. */
interface SiteResponse {
  readonly status: number;
  /** In s: when a site that is too busy can be asked again. */
  readonly retryAfter?: number;
  readonly body: {
    readonly message?: string;
    readonly errors?: readonly string[];
    readonly lines?: readonly string[];
    readonly [field: string]: unknown;
  };
}

/** Thrown if a site did not do what it was asked for. */
export class SiteError extends CommandError {
  override readonly name = 'SiteError';
  /** The HTTP status; `undefined` if there was no response, so that nobody knows whether it was done. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** In ms: without any byte of a response, it counts as lost. */
const responseTimeout = 180_000;

/** In s, and how often: a site that takes other uploads at the moment is asked again. A limit of an hour is for people. */
const maxWait = 10;
const maxWaits = 12;

const apiPath = '/_releases/api/';
const boundary = 'daybook-release';

/** Sends a request; rejects if it gets no response. A response that comes before the body is sent counts. */
function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string | number>>,
  body: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array>,
): Promise<SiteResponse> {
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = open(url, { method, headers, agent: false, timeout: responseTimeout });
    outgoing.on('timeout', () => outgoing.destroy(new Error('it did not respond in time')));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming: IncomingMessage) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const retryAfter = Number(received['retry-after'] ?? Number.POSITIVE_INFINITY);
      readText(incoming).then((text) => resolve({ status, retryAfter, body: parse(text) }), reject);
    });
    pipeline(Readable.from(body), outgoing).catch(reject);
  });
}

/** A proxy's error is a page. */
function parse(text: string): SiteResponse['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.replaceAll(/<[^<>]*>|\s+/g, ' ').slice(0, 200) };
  }
}

/** The API of a site's releases. */
export class SiteClient {
  readonly #site: string;
  readonly #credentials: Credentials;
  readonly #publicOrigin: string;

  /**
   * @param site URL that requests are sent to
   * @param publicOrigin the site's `PUBLIC_URL`, for which a team's requests are signed: one that was sent to another site is
   *   not valid here. Differs from `site` only inside of a network
   */
  constructor(site: string, credentials: Credentials, publicOrigin = new URL(site).origin) {
    this.#site = site;
    this.#credentials = credentials;
    this.#publicOrigin = publicOrigin;
  }

  /**
   * Reads what visitors get: `mf-legal` of a remote, an empty text of all, or `log`.
   *
   * @throws SiteError with the reason
   */
  async read(what: string, remote = what): Promise<unknown> {
    const asked = { site: this.#publicOrigin, method: 'GET', path: `${apiPath}${what}`, body: '' };
    return this.#accepted(await this.#send(asked, remote, {}, []));
  }

  /**
   * Makes a deployment; a team's is based on the state that is read before.
   *
   * @throws SiteError with the reason
   */
  async deploy(remote: string, fields: object): Promise<SiteResponse['body']> {
    const { number: seen } = (await this.read(remote)) as { readonly number: number };
    const body = JSON.stringify({ ...fields, seen });
    const asked = { site: this.#publicOrigin, method: 'POST', path: `${apiPath}${remote}/deployments`, body };
    return this.#accepted(await this.#send(asked, remote, { 'Content-Type': 'application/json' }, [body]));
  }

  /**
   * Publishes a signed build. A request whose response was lost is repeated once, since publishing again changes nothing;
   * one that came while the site was busy, after a while.
   *
   * @param signature its signature
   * @param query whom it is for, by default all visitors: `?percent=10`, `?preview=<hash>`
   * @param report receives the progress
   * @returns the response to a release that the site took: 200, 201, or 409 if it is stored and not active
   * @throws SiteError with the reason
   */
  async publish(
    { folder, release, text }: ReleaseBuild,
    signature: string,
    query: string,
    report: (line: string) => void,
  ): Promise<SiteResponse> {
    const own = new Map([
      [releaseFileName, text],
      [signatureFileName, signature],
    ]);
    const parts = [
      ...[...own].map(([name, content]) => [name, { size: Buffer.byteLength(content) }] as const),
      ...Object.entries(release.files),
    ];
    const headOf = (name: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const end = `--${boundary}--\r\n`;
    const sizes = parts.map(([name, { size }]) => Buffer.byteLength(headOf(name)) + size + 2);
    const length = sizes.reduce((sum, size) => sum + size, end.length);
    async function* body() {
      let [sent, reported] = [0, 0];
      for (const [index, [name]] of parts.entries()) {
        const content = own.has(name) ? Buffer.from(own.get(name) ?? '') : await readFile(path.join(folder, name));
        yield Buffer.concat([Buffer.from(headOf(name)), content, Buffer.from('\r\n')]);
        sent += sizes[index] ?? 0;
        if (sent - reported < length / 4) continue;
        reported = sent;
        report(`sent ${sizeOf(sent)} of ${sizeOf(length)}`);
      }
      yield Buffer.from(end);
    }
    const asked = {
      site: this.#publicOrigin,
      method: 'POST',
      path: `${apiPath}${release.name}/releases${query}`,
      body: text,
    };
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': length };
    const attempt = () => this.#send(asked, release.name, headers, body());
    const attemptTwice = () =>
      attempt().catch((error: Error) => {
        report(`the response was lost (${error.message}); sending it again`);
        return attempt();
      });
    let response = await attemptTwice();
    for (let waits = 1; response.status === 429 && waits <= maxWaits; waits += 1) {
      const { retryAfter = maxWait } = response;
      if (retryAfter > maxWait) break;
      report(`the site takes other releases at the moment; sending it again in ${retryAfter} s`);
      await delay(retryAfter * 1000);
      response = await attemptTwice();
    }
    if (response.status !== 409 || !response.body.lines) this.#accepted(response);
    return response;
  }

  async #send(
    asked: AskedRequest,
    remote: string,
    headers: Readonly<Record<string, string | number>>,
    body: Parameters<typeof send>[3],
  ): Promise<SiteResponse> {
    const token =
      'token' in this.#credentials
        ? this.#credentials.token
        : await signRequest(asked, remote, this.#credentials.signer);
    const all = { ...headers, Authorization: `Bearer ${token}` };
    return send(new URL(asked.path, this.#site), asked.method, all, body).catch((error: Error) => {
      throw new SiteError(`${this.#site} can't be asked: ${error.message}.`, undefined, { cause: error });
    });
  }

  #accepted({ status, body }: SiteResponse): SiteResponse['body'] {
    if (status < 300) return body;
    const { message = '', errors = [message] } = body;
    throw new SiteError(`${this.#site} rejects it (${status}): ${errors.join('\n')}`, status);
  }
}
