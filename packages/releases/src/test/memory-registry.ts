import {
  type CountedInterval,
  conflictOf,
  maxDecisions,
  maxSessions,
  type NewRelease,
  needsRelease,
  type RegistryState,
  type ReleaseDescription,
  type SignIn,
  type SiteRegistry,
  type UploadRejection,
  uploadLimits,
} from '../registry/release-registry.ts';
import type { Deployment } from '../registry/remote-state.ts';

interface StoredRelease extends NewRelease {
  readonly files: ReadonlyMap<string, Buffer>;
  storedAt: number;
}

interface StoredSession {
  readonly tokenName: string;
  readonly content: unknown;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

const keyOf = (remote: string, version: string) => `${remote}@${version}`;

/** A registry of one process, for tests of what does not depend on the database. */
export class MemoryRegistry implements SiteRegistry {
  readonly #releases = new Map<string, StoredRelease>();
  readonly #deployments: Deployment[] = [];
  readonly #sessions = new Map<string, StoredSession>();
  readonly #signIns: SignIn[] = [];
  #uploads: { readonly remote: string; readonly bytes: number; readonly at: number }[] = [];
  readonly #counts = new Map<string, CountedInterval>();

  async read(known: ReadonlyMap<string, number>): Promise<RegistryState> {
    return {
      deployments: this.#deployments.filter(({ remote, number }) => number >= (known.get(remote) ?? 0)),
      releases: [...this.#releases.values()].map(({ remote, version, storedAt }) => ({ remote, version, storedAt })),
    };
  }

  async describe(remote: string, version: string): Promise<ReleaseDescription | undefined> {
    return this.#releases.get(keyOf(remote, version));
  }

  async readFile(remote: string, version: string, name: string): Promise<Buffer | undefined> {
    return this.#releases.get(keyOf(remote, version))?.files.get(name);
  }

  async store(
    release: NewRelease,
    files: readonly string[],
    contentOf: (name: string) => Promise<Buffer>,
  ): Promise<boolean> {
    const key = keyOf(release.remote, release.version);
    const contents = new Map<string, Buffer>();
    for (const name of files) contents.set(name, await contentOf(name));
    if (this.#releases.has(key)) return false;
    this.#releases.set(key, { ...release, files: contents, storedAt: Date.now() });
    return true;
  }

  async publish(
    release: NewRelease,
    files: readonly string[],
    contentOf: (name: string) => Promise<Buffer>,
    decide: () => Promise<Omit<Deployment, 'at'> | undefined>,
  ): Promise<Deployment | undefined> {
    const { remote, version } = release;
    if (!(await this.store(release, files, contentOf))) throw conflictOf(remote);
    try {
      for (let decision = 1; ; decision += 1) {
        const deployment = await decide();
        if (!deployment) return undefined;
        if (deployment.number === this.#numberOf(remote) + 1) return await this.append(deployment);
        if (decision === maxDecisions) throw conflictOf(remote);
      }
    } catch (error) {
      this.#releases.delete(keyOf(remote, version));
      throw error;
    }
  }

  async countUpload(remote: string, bytes: number): Promise<UploadRejection | undefined> {
    const since = Date.now() - 3_600_000;
    this.#uploads = this.#uploads.filter(({ at }) => at > since);
    const recent = this.#uploads.filter((each) => each.remote === remote);
    const sum = recent.reduce((all, each) => all + each.bytes, bytes);
    const reason = recent.length >= uploadLimits.uploads ? 'uploads' : sum > uploadLimits.bytes ? 'bytes' : undefined;
    if (reason) return { reason, retryAfter: Math.ceil(((recent[0]?.at ?? since) - since) / 1000) };
    this.#uploads.push({ remote, bytes, at: Date.now() });
    return undefined;
  }

  async restate({ remote, version, ...stated }: Parameters<SiteRegistry['restate']>[0]): Promise<void> {
    const key = keyOf(remote, version);
    const stored = this.#releases.get(key);
    if (stored) this.#releases.set(key, { ...stored, ...stated, storedAt: Math.max(Date.now(), stored.storedAt + 1) });
  }

  async touch(remote: string, version: string): Promise<void> {
    const stored = this.#releases.get(keyOf(remote, version));
    if (stored) stored.storedAt = Date.now();
  }

  async remove(remote: string, versions: readonly string[], number: number): Promise<void> {
    if (this.#numberOf(remote) !== number) return;
    for (const version of versions) this.#releases.delete(keyOf(remote, version));
  }

  async append(deployment: Omit<Deployment, 'at'>): Promise<Deployment> {
    const { remote, number, version = '' } = deployment;
    const isMissing = needsRelease(deployment) && !this.#releases.has(keyOf(remote, version));
    if (number !== this.#numberOf(remote) + 1 || isMissing) throw conflictOf(remote);
    const made = { at: new Date().toISOString(), ...deployment };
    this.#deployments.push(made);
    return made;
  }

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
      const key = `${keyOf(each.remote, each.version)} ${each.at}`;
      const { views = 0, failures = 0 } = this.#counts.get(key) ?? {};
      this.#counts.set(key, { ...each, views: views + each.views, failures: failures + each.failures });
    }
    for (const [key, { at }] of this.#counts) if (at < oldest) this.#counts.delete(key);
  }

  async counts(remote: string, since: number): Promise<readonly CountedInterval[]> {
    return [...this.#counts.values()].filter((each) => each.remote === remote && each.at >= since);
  }

  async close(): Promise<void> {
    // Nothing to end.
  }

  #numberOf(remote: string): number {
    return this.#deployments.findLast((each) => each.remote === remote)?.number ?? 0;
  }
}
