import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Files that a page refers to, which a browser requests at once. */
const files = /"(\/(?:assets|remotes)\/[^"\\]+\.(?:js|css))"/g;

/** Three visitors without browsers, who open pages with their files until stopped, and one who signs up. */
export class PlainLoad {
  /** Failed requests. */
  readonly failures: string[] = [];
  requests = 0;
  /** Number of acknowledged signups. */
  signups = 0;
  /** Unique prefix of the addresses that this load signs up. */
  readonly emailPrefix = `visitor-${randomUUID()}-`;
  readonly #site: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #workers: readonly Promise<void>[];
  #stopped = false;

  /** @param pause in ms, of each visitor after each page */
  constructor(site: string, paths: readonly string[], { signsUp = false, pause = 0 } = {}) {
    this.#site = site;
    const visitors = [0, 1, 2].map((first) => this.#open(paths, first, pause));
    this.#workers = signsUp ? [...visitors, this.#signUp()] : visitors;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
    this.#agent.destroy();
  }

  async #open(paths: readonly string[], first: number, pause: number): Promise<void> {
    for (let turn = first; !this.#stopped; turn += 1) {
      const html = await this.#request(paths[turn % paths.length] ?? '/');
      for (const file of new Set(Array.from(html.matchAll(files), ([, name]) => name ?? ''))) await this.#request(file);
      await delay(pause);
    }
  }

  async #signUp(): Promise<void> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
    for (let turn = 1; !this.#stopped; turn += 1) {
      const body = JSON.stringify({ email: `${this.emailPrefix}${turn}@example.com` });
      if (await this.#request('/api/waitlist', options, body)) this.signups += 1;
    }
  }

  /** Returns the body of a response; empty if the request failed. */
  async #request(path: string, options: RequestOptions = {}, body = ''): Promise<string> {
    this.requests += 1;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    // Not fetch: in Node 24.21 it crashes the process if a connection ends before 64 KiB of a body are read.
    const sent = request(this.#site + path, { agent: this.#agent, ...options }, (response) => {
      const { statusCode = 0 } = response;
      const check = (content: string) =>
        statusCode < 300 ? resolve(content) : reject(`${statusCode} ${content.slice(0, 200)}`);
      text(response).then(check, reject);
    });
    sent.on('error', reject).end(body);
    return promise.catch((error) => {
      this.failures.push(`${path}: ${error}`);
      return '';
    });
  }
}
