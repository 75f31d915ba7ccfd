import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { entryIdIn, waitlistCalls } from '@daybook/contract/api';

/** Files that a page refers to, which a browser requests at once. */
const files = /"(\/(?:assets|remotes)\/[^"\\]+\.(?:js|css))"/g;

/** A signup as its visitor saw it. While it is in progress, it has neither an id nor an error. */
interface Signup {
  readonly email: string;
  entryId?: number | undefined;
  error?: string;
}

interface LoadOptions {
  /** In ms, of each visitor after each page. */
  readonly pause?: number;
  /** Sent whether or not the site responds. */
  readonly signupsPerSecond?: number;
}

/** Visitors without browsers, until stopped: three open pages with their files, others sign up. */
export class Load {
  /** Failed requests for pages and files. */
  readonly failures: string[] = [];
  /** Number of requests for pages and files. */
  requests = 0;
  readonly signups: Signup[] = [];
  /** Unique prefix of the addresses that this load signs up. */
  readonly emailPrefix = `visitor-${randomUUID()}-`;
  readonly #site: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  readonly #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(site: string, paths: readonly string[], { pause = 0, signupsPerSecond = 0 }: LoadOptions = {}) {
    this.#site = site;
    this.#running = [0, 1, 2].map((first) => this.#open(paths, first, pause));
    if (signupsPerSecond > 0)
      this.#timer = setInterval(() => this.#running.push(this.#signUp()), 1000 / signupsPerSecond);
  }

  get acknowledged(): readonly Signup[] {
    return this.signups.filter(({ entryId }) => entryId !== undefined);
  }

  /** Sends no more requests; resolves once all have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  async #open(paths: readonly string[], first: number, pause: number): Promise<void> {
    for (let turn = first; !this.#stopped; turn += 1) {
      const html = await this.#get(paths[turn % paths.length] ?? '/');
      for (const file of new Set(Array.from(html.matchAll(files), ([, name]) => name ?? ''))) await this.#get(file);
      await delay(pause);
    }
  }

  /** Returns the body of a response; empty if the request failed. */
  #get(path: string): Promise<string> {
    this.requests += 1;
    return this.#request(path).catch((error) => {
      this.failures.push(`${path}: ${error}`);
      return '';
    });
  }

  async #signUp(): Promise<void> {
    const { method, path } = waitlistCalls.signUp;
    const signup: Signup = { email: `${this.emailPrefix}${this.signups.length}@example.com` };
    this.signups.push(signup);
    const options = { method, headers: { 'content-type': 'application/json' } };
    await this.#request(path, options, JSON.stringify({ email: signup.email })).then(
      (body) => Object.assign(signup, { entryId: entryIdIn(JSON.parse(body)) }),
      (error) => Object.assign(signup, { error: String(error) }),
    );
  }

  #request(path: string, options: RequestOptions = {}, body = ''): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const all = { agent: this.#agent, signal: AbortSignal.timeout(20_000), ...options };
    // Not fetch: in Node 24.21 it crashes the process if a connection ends before 64 KiB of a body are read.
    const sent = request(this.#site + path, all, (response) => {
      const { statusCode = 0 } = response;
      const check = (content: string) =>
        statusCode < 300 ? resolve(content) : reject(`${statusCode} ${content.slice(0, 200)}`);
      text(response).then(check, reject);
    });
    sent.on('error', reject).end(body);
    return promise;
  }
}
