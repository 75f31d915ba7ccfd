import { randomUUID } from 'node:crypto';
import { entryIdIn, waitlistCalls } from '@daybook/contract/api';
import { apiRequest } from '@daybook/platform/api-request';

/** A signup as its visitor saw it. */
export interface SignupResult {
  readonly email: string;
  /** `undefined` if it failed. */
  readonly entryId: number | undefined;
  readonly error?: unknown;
  /** In ms of `performance.now()`. */
  readonly sentAt: number;
}

/** Signups at a fixed rate, whether or not the site responds, each one call as from a visitor's browser. */
export class SignupLoad {
  /** Unique prefix of the addresses that this load signs up. */
  readonly emailPrefix = `visitor-${randomUUID()}-`;
  readonly #results: SignupResult[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #sent: Promise<void>[] = [];

  constructor(site: string, perSecond: number) {
    this.#timer = setInterval(() => this.#sent.push(this.#signUp(site)), 1000 / perSecond);
  }

  /** Number of signups that were sent from a time on and acknowledged. */
  acknowledgedSince(time: number): number {
    return this.#results.filter(({ sentAt, entryId }) => sentAt >= time && entryId !== undefined).length;
  }

  /** Sends no more signups; resolves once all have ended. */
  async stop(): Promise<readonly SignupResult[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#sent);
    return this.#results;
  }

  async #signUp(site: string): Promise<void> {
    const { method, path } = waitlistCalls.signUp;
    const [email, sentAt] = [`${this.emailPrefix}${this.#sent.length}@example.com`, performance.now()];
    const outcome = await apiRequest(method, site + path, { email }).then(
      (response) => ({ entryId: entryIdIn(response) }),
      (error: unknown) => ({ entryId: undefined, error }),
    );
    this.#results.push({ email, ...outcome, sentAt });
  }
}
