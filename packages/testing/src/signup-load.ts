import { randomUUID } from 'node:crypto';
import { entryIdIn, waitlistCalls } from '@daybook/contract/api';
import { apiRequest } from '@daybook/platform/api-request';

/** A signup as its visitor saw it. */
export interface SignupResult {
  readonly email: string;
  /** `undefined` if it failed. */
  readonly entryId: number | undefined;
  /** Why it failed. */
  readonly error?: unknown;
  /** When it was sent, and when the visitor saw the result, in ms of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Signups at a fixed rate, whether or not the site responds, each one call as from a visitor's browser. */
export class SignupLoad {
  readonly results: SignupResult[] = [];
  /** Unique prefix of the addresses that this load signs up. */
  readonly emailPrefix = `visitor-${randomUUID()}-`;
  readonly #site: string;
  readonly #timer: NodeJS.Timeout;
  readonly #pending = new Set<Promise<void>>();
  #sent = 0;

  /** @param site the site's address, without a slash at the end */
  constructor(site: string, perSecond: number) {
    this.#site = site;
    this.#timer = setInterval(() => {
      const signup = this.#signUp().finally(() => this.#pending.delete(signup));
      this.#pending.add(signup);
    }, 1000 / perSecond);
  }

  /** Number of signups that were sent from a time on and acknowledged. */
  acknowledgedSince(time: number): number {
    return this.results.filter(({ sentAt, entryId }) => sentAt >= time && entryId !== undefined).length;
  }

  /** Sends no more signups; resolves once all have ended. */
  async stop(): Promise<readonly SignupResult[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    return this.results;
  }

  async #signUp(): Promise<void> {
    const { method, path } = waitlistCalls.signUp;
    const email = `${this.emailPrefix}${++this.#sent}@example.com`;
    const sentAt = performance.now();
    const outcome = await apiRequest(method, this.#site + path, { email }).then(
      (response) => ({ entryId: entryIdIn(response) }),
      (error: unknown) => ({ entryId: undefined, error }),
    );
    this.results.push({ email, ...outcome, sentAt, endedAt: performance.now() });
  }
}
