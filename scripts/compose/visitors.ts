import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';

const paths = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];

/** Files that a page names, and its browser asks for at once. */
const files = /"(\/(?:assets|remotes)\/[^"\\]+\.(?:js|css))"/g;

/** Visitors who open pages with their files, and sign up, until they are stopped. What was no success is kept. */
export class Visitors {
  readonly failures: string[] = [];
  requests = 0;
  /** How many signups were answered 201. */
  signups = 0;
  /** What the addresses that signed up begin with, and no others. */
  readonly addressPrefix = `visitor-${randomUUID()}-`;
  readonly #site: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #workers: readonly Promise<void>[];
  #stopped = false;

  /** @param site the site's address, without a slash at the end */
  constructor(site: string) {
    this.#site = site;
    this.#workers = [this.#open(0), this.#open(1), this.#open(2), this.#signUp()];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
    this.#agent.destroy();
  }

  async #open(first: number): Promise<void> {
    for (let turn = first; !this.#stopped; turn += 1) {
      const html = await this.#request(paths[turn % paths.length] ?? '/');
      const named = new Set(Array.from(html.matchAll(files), ([, file]) => file ?? ''));
      for (const file of named) await this.#request(file);
    }
  }

  async #signUp(): Promise<void> {
    for (let turn = 1; !this.#stopped; turn += 1) {
      const email = `${this.addressPrefix}${turn}@example.com`;
      const body = JSON.stringify({ email });
      const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
      if (await this.#request('/api/waitlist', options, body)) this.signups += 1;
    }
  }

  /** @returns the answer's text, empty where it was none */
  async #request(address: string, options: RequestOptions = {}, body = ''): Promise<string> {
    this.requests += 1;
    try {
      const answer = await this.#ask(address, options, body);
      if (answer.status < 300) return answer.text;
      this.failures.push(`${address}: ${answer.status}`);
    } catch (error) {
      this.failures.push(`${address}: ${error}`);
    }
    return '';
  }

  /** Not by fetch: that of Node 24.21 ends the process where a connection ends before 64 KiB of an answer are read. */
  #ask(address: string, options: RequestOptions, body: string): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const asked = request(this.#site + address, { agent: this.#agent, ...options }, (answer) => {
      text(answer).then((told) => resolve({ status: answer.statusCode ?? 0, text: told }), reject);
    });
    asked.on('error', reject).end(body);
    return promise;
  }
}
