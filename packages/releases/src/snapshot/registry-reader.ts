import type { ReleaseRegistry } from '../registry/release-registry.ts';
import {
  added,
  findReplaced,
  keyOf,
  nothingStored,
  type RegistryContent,
  type StoredRelease,
  storedRelease,
} from './registry-content.ts';

export interface RegistryReaderOptions {
  readonly registry: ReleaseRegistry;
  /** Called once with each problem. */
  readonly report: (problem: string) => void;
  /** Called once when a problem has ended. */
  readonly onRecovery: (message: string) => void;
  /** Returns the content known at this moment. */
  readonly known: () => RegistryContent;
  /** Called with the content after each successful read. */
  readonly onRead: (content: RegistryContent) => void;
}

/** Reads what is new in the registry, one read at a time, and knows whether the registry can be used. */
export class RegistryReader {
  readonly #options: RegistryReaderOptions;
  #reading: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  /** Whether the registry was read since the start. */
  hasRead = false;
  /** Why the registry can't be read, and since when (ISO 8601); `undefined` if it could be read the last time. */
  problem: { readonly message: string; readonly since: string } | undefined;

  constructor(options: RegistryReaderOptions) {
    this.#options = options;
  }

  /**
   * Resolves when everything has been read that was in the registry at the time of the call.
   *
   * @throws RegistryError if it can't be read; what is known is unchanged
   */
  read(): Promise<void> {
    // A read that runs already may have missed what the caller knows of.
    this.#nextRead ??= this.#reading.then(() => {
      this.#nextRead = undefined;
      const read = this.#readOnce();
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#nextRead;
  }

  async #readOnce(): Promise<void> {
    const { report, onRecovery } = this.#options;
    try {
      await this.#readNews();
      if (this.problem) onRecovery(`The release registry can be used again; it could not since ${this.problem.since}.`);
      this.problem = undefined;
      this.hasRead = true;
    } catch (error) {
      const { message } = error as Error;
      if (!this.problem) report(message);
      this.problem = { message, since: this.problem?.since ?? new Date().toISOString() };
      throw error;
    }
  }

  /** Adds what is new to what is known when all of it has been read: the server may have added a deployment until then. */
  async #readNews(): Promise<void> {
    const { registry, report, known, onRead } = this.#options;
    const last = new Map(known().deployments.map((each) => [each.remote, each]));
    const read = await registry.read(new Map([...last].map(([remote, { number }]) => [remote, number])));
    const replaced = findReplaced(last, read);
    if (replaced === undefined) {
      const releases = await this.#readManifests(read.releases);
      onRead(added(known(), read, releases));
      return;
    }
    const whole = await registry.read(new Map());
    onRead(added(nothingStored, whole, await this.#readManifests(whole.releases)));
    report(
      `The release registry has other deployments of ${replaced} than before: was it restored from a backup? Its present state counts.`,
    );
  }

  /** Reads the manifests of the listed releases: those that are known stay the same objects. */
  async #readManifests(listed: Awaited<ReturnType<ReleaseRegistry['read']>>['releases']) {
    const { registry, report, known } = this.#options;
    const releases = new Map<string, StoredRelease>();
    for (const each of listed) {
      const before = known().releases.get(keyOf(each));
      // At another time: it was removed and stored again, or a build of the shell was started again.
      if (before?.storedAt === each.storedAt) releases.set(keyOf(each), before);
      else {
        const manifest = await registry.readManifest(each.remote, each.version);
        // Otherwise it was removed in the meantime.
        if (!manifest) continue;
        const stored = storedRelease(each, manifest);
        if (stored.error) report(`${keyOf(each)} can't be served: ${stored.error.message}`);
        releases.set(keyOf(each), stored);
      }
    }
    return releases;
  }
}
