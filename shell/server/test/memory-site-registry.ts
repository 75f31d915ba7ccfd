import { MemoryRegistry } from '@daybook/testing/memory-registry';
import {
  type CountedInterval,
  maxSessions,
  type SignIn,
  type SiteRegistry,
  type Upload,
} from '../registry/site-registry.ts';

interface StoredSession {
  readonly tokenName: string;
  readonly content: unknown;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

/** All that shell servers store, in one process, for tests of what does not depend on the database. */
export class MemorySiteRegistry extends MemoryRegistry implements SiteRegistry {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #signIns: SignIn[] = [];
  readonly #counts = new Map<string, CountedInterval>();
  #uploads: { readonly remote: string; readonly bytes: number; readonly at: number }[] = [];

  async readSession(id: string): Promise<unknown> {
    const session = this.#sessions.get(id);
    return session && session.expiresAt > Date.now() ? session.content : undefined;
  }

  async writeSession(id: string, tokenName: string, content: object, expiresAt: Date): Promise<void> {
    this.#sessions.delete(id);
    // A copy, as a database has it.
    const copy = JSON.parse(JSON.stringify(content));
    this.#sessions.set(id, { tokenName, content: copy, expiresAt: expiresAt.getTime() });
    for (const [each, session] of this.#sessions) if (session.expiresAt <= Date.now()) this.#sessions.delete(each);
    const ofToken = [...this.#sessions].filter(([, session]) => session.tokenName === tokenName);
    for (const [each] of ofToken.slice(0, -maxSessions)) this.#sessions.delete(each);
  }

  async removeSession(id: string): Promise<void> {
    this.#sessions.delete(id);
  }

  async recordSignIn(signIn: Omit<SignIn, 'at'>): Promise<void> {
    this.#signIns.push({ at: new Date().toISOString(), ...signIn });
  }

  async signIns(): Promise<readonly SignIn[]> {
    return [...this.#signIns];
  }

  async addCounts(counts: readonly CountedInterval[], oldest: number): Promise<void> {
    for (const each of counts) {
      const key = `${each.remote}@${each.version} ${each.at}`;
      const { views = 0, failures = 0 } = this.#counts.get(key) ?? {};
      this.#counts.set(key, { ...each, views: views + each.views, failures: failures + each.failures });
    }
    for (const [key, { at }] of this.#counts) if (at < oldest) this.#counts.delete(key);
  }

  async counts(remote: string, since: number): Promise<readonly CountedInterval[]> {
    return [...this.#counts.values()].filter((each) => each.remote === remote && each.at >= since);
  }

  async addUpload(remote: string, bytes: number, maxAge: number): Promise<void> {
    this.#uploads = this.#uploads.filter(({ at }) => at > Date.now() - maxAge);
    this.#uploads.push({ remote, bytes, at: Date.now() });
  }

  async uploads(remote: string): Promise<readonly Upload[]> {
    const ofRemote = this.#uploads.filter((each) => each.remote === remote);
    return ofRemote.map(({ at, bytes }) => ({ age: Date.now() - at, bytes }));
  }
}
