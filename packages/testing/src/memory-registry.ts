import { ConflictError, type Deployment, type ReleaseRegistry } from '@daybook/releases/server';

type Stored = Parameters<ReleaseRegistry['store']>[0] & {
  readonly files: ReadonlyMap<string, Buffer>;
  storedAt: number;
};

const keyOf = (remote: string, version: string) => `${remote}@${version}`;
const conflictOf = (remote: string) => new ConflictError(`${remote} was changed meanwhile`);

/** A registry of one process, for tests of what does not depend on the database. */
export class MemoryRegistry implements ReleaseRegistry {
  readonly #releases = new Map<string, Stored>();
  readonly #deployments: Deployment[] = [];

  async read(known: ReadonlyMap<string, number>): ReturnType<ReleaseRegistry['read']> {
    return {
      deployments: this.#deployments.filter(({ remote, number }) => number >= (known.get(remote) ?? 0)),
      releases: [...this.#releases.values()].map(({ remote, version, storedAt }) => ({ remote, version, storedAt })),
    };
  }

  async readManifest(remote: string, version: string): ReturnType<ReleaseRegistry['readManifest']> {
    return this.#releases.get(keyOf(remote, version));
  }

  async readFile(remote: string, version: string, name: string): Promise<Buffer | undefined> {
    return this.#releases.get(keyOf(remote, version))?.files.get(name);
  }

  async store(...[release, names, contentOf]: Parameters<ReleaseRegistry['store']>): Promise<boolean> {
    const key = keyOf(release.remote, release.version);
    const files = new Map<string, Buffer>();
    for (const name of names) files.set(name, await contentOf(name));
    if (this.#releases.has(key)) return false;
    this.#releases.set(key, { ...release, files, storedAt: Date.now() });
    return true;
  }

  async publish(
    ...[release, names, contentOf, decide]: Parameters<ReleaseRegistry['publish']>
  ): ReturnType<ReleaseRegistry['publish']> {
    const { remote, version } = release;
    if (!(await this.store(release, names, contentOf))) throw conflictOf(remote);
    try {
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const decided = await decide();
        if (typeof decided === 'string') return decided;
        if (decided.number === this.#numberOf(remote) + 1) return await this.append(decided);
      }
      throw conflictOf(remote);
    } catch (error) {
      this.#releases.delete(keyOf(remote, version));
      throw error;
    }
  }

  async restate({ remote, version, ...stated }: Parameters<ReleaseRegistry['restate']>[0]): Promise<void> {
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

  async append(deployment: Parameters<ReleaseRegistry['append']>[0]): Promise<Deployment> {
    const { remote, number, action, version = '' } = deployment;
    const isMissing = ['activate', 'offer'].includes(action) && !this.#releases.has(keyOf(remote, version));
    if (number !== this.#numberOf(remote) + 1 || isMissing) throw conflictOf(remote);
    const made = { at: new Date().toISOString(), ...deployment };
    this.#deployments.push(made);
    return made;
  }

  async close(): Promise<void> {
    // Nothing to end.
  }

  #numberOf(remote: string): number {
    return this.#deployments.findLast((each) => each.remote === remote)?.number ?? 0;
  }
}
