import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import { readRelease } from '../gate/gate.ts';
import type { NewestSignature } from '../signature/signature.ts';
import { initialState, previousVersions, type ReleaseChange, type RemoteState, reduce } from '../state/remote-state.ts';
import type { ListedRelease, OriginReport, RegistryState, ReleaseRegistry } from './release-registry.ts';

/** The name under which the shell's own builds are stored, beside those of the remotes. */
export const shellName = 'shell';

/** A release in the registry. */
interface DescribedRelease extends ListedRelease {
  /** Its `release.json`, byte for byte. */
  readonly description: string;
}

/** One that this shell can serve. */
interface KnownRelease extends DescribedRelease {
  readonly release: Release;
}

/** What the copy stores on disk, for a start while the registry can't be used. */
interface LastKnown extends Pick<RegistryState, 'changes' | 'signatures' | 'origins'> {
  readonly releases: readonly DescribedRelease[];
}

const keyOf = ({ remote, version }: Pick<ListedRelease, 'remote' | 'version'>) => `${remote}@${version}`;

/** Returns a remote whose last known change is no longer in the registry. */
function findReplaced(last: ReadonlyMap<string, ReleaseChange>, changes: readonly ReleaseChange[]): string | undefined {
  return [...last].find(([remote, change]) => {
    const found = changes.find((each) => each.remote === remote && each.revision === change.revision);
    return !isDeepStrictEqual(found, change);
  })?.[0];
}

/**
 * One server's copy of the registry, in memory: pages are served, and changes decided, from it. The copy on disk may be
 * deleted at any time; it lets a server start while the registry can't be used.
 */
export class RegistryCopy {
  readonly #registry: ReleaseRegistry;
  readonly #file: string | undefined;
  readonly #onProblem: (problem: string) => void;
  #changes: readonly ReleaseChange[] = [];
  #states: ReadonlyMap<string, RemoteState> = new Map();
  #releases: ReadonlyMap<string, DescribedRelease> = new Map();
  #parsed = new Map<string, Release | Error>();
  #signatures: Readonly<Record<string, NewestSignature>> = {};
  #origins: Readonly<Record<string, OriginReport>> = {};
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #reported: string | undefined;
  /** Why the registry can't be read, and since when (ISO 8601); `undefined` if it could be read the last time. */
  problem: { readonly message: string; readonly since: string } | undefined;
  /** Changes whenever anything in the copy does. */
  generation = 0;

  /**
   * @param folder stores the last known state; without it, the copy is in memory only
   * @param onProblem called once with each problem
   */
  constructor(
    registry: ReleaseRegistry,
    folder: string | undefined,
    onProblem: (problem: string) => void = () => undefined,
  ) {
    this.#registry = registry;
    this.#file = folder && path.join(folder, 'last-known.json');
    this.#onProblem = onProblem;
    if (this.#file) this.#load(this.#file);
  }

  stateOf(remote: string): RemoteState {
    return this.#states.get(remote) ?? initialState;
  }

  /** Returns the changes of a remote, or of all remotes, the oldest first. */
  changes(remote?: string): readonly ReleaseChange[] {
    return remote === undefined
      ? this.#changes.toSorted((one, other) => one.at.localeCompare(other.at))
      : this.#changes.filter((each) => each.remote === remote);
  }

  /** Returns all stored releases of a remote, also those that this shell can't serve. */
  listed(remote: string): readonly DescribedRelease[] {
    return [...this.#releases.values()].filter((each) => each.remote === remote);
  }

  /** Returns the releases of a remote that this shell can serve, the last stored first. */
  releasesOf(remote: string): readonly KnownRelease[] {
    return this.listed(remote)
      .flatMap(({ version }) => this.find(remote, version) ?? [])
      .sort((one, other) => other.storedAt - one.storedAt);
  }

  find(remote: string, version: string): KnownRelease | undefined {
    const listed = this.#releases.get(keyOf({ remote, version }));
    const release = listed && this.#parse(listed);
    return !release || release instanceof Error ? undefined : { ...listed, release };
  }

  /** Returns the stored release that was active before the active one and is not withdrawn. */
  previousOf(remote: string): KnownRelease | undefined {
    const versions = previousVersions(this.stateOf(remote));
    return versions.map((version) => this.find(remote, version)).find((found) => found !== undefined);
  }

  /** Returns why this shell can't serve a release of the registry: it is for another contract. */
  problemOf(remote: string, version: string): Error | undefined {
    const listed = this.#releases.get(keyOf({ remote, version }));
    const release = listed && this.#parse(listed);
    return release instanceof Error ? release : undefined;
  }

  /** Returns the shell's own builds, the last started first. */
  shellBuilds(): readonly DescribedRelease[] {
    return this.listed(shellName).toSorted((one, other) => other.storedAt - one.storedAt);
  }

  signatureOf(remote: string): NewestSignature | undefined {
    return this.#signatures[remote];
  }

  originOf(remote: string): OriginReport | undefined {
    return this.#origins[remote];
  }

  /**
   * Reads the registry; resolves when the copy has everything that was in the registry at the time of the call.
   *
   * @throws RegistryError if it can't be read; the copy is unchanged
   */
  refresh(): Promise<void> {
    // A read that runs already may have missed what the caller knows of.
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      const read = this.#read();
      this.#current = read.catch(() => undefined);
      return read;
    });
    return this.#next;
  }

  /**
   * Appends a change to the registry, and to this copy without reading the registry again.
   *
   * @returns the change with its time
   * @throws ConflictError if the remote has a change of this number already, or no longer the release
   * @throws RegistryError
   */
  async append(change: Omit<ReleaseChange, 'at'>): Promise<ReleaseChange> {
    const made = await this.#registry.append(change);
    const before = this.stateOf(made.remote);
    const after = reduce(before, made);
    // Otherwise a refresh has brought it meanwhile.
    if (after !== before) {
      this.#states = new Map(this.#states).set(made.remote, after);
      this.#changes = [...this.#changes, made];
      this.generation += 1;
      this.#save();
    }
    return made;
  }

  async #read(): Promise<void> {
    try {
      // As of now: this server may append a change while it reads.
      const last = new Map(this.#changes.map((change) => [change.remote, change]));
      const known = new Map([...last].map(([remote, { revision }]) => [remote, revision]));
      const state = await this.#registry.read(known);
      const replaced = findReplaced(last, state.changes);
      if (replaced === undefined) this.#add(state, await this.#describe(state.releases));
      else {
        const whole = await this.#registry.read(new Map());
        this.#add(whole, await this.#describe(whole.releases), 'replace');
        this.#onProblem(
          `The release registry has other changes of ${replaced} than before: was it restored from a backup? Its present state counts.`,
        );
      }
      this.problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!this.problem) this.#onProblem(message);
      this.problem = { message, since: this.problem?.since ?? new Date().toISOString() };
      throw error;
    }
  }

  async #describe(listed: readonly ListedRelease[]): Promise<ReadonlyMap<string, DescribedRelease>> {
    const described = new Map<string, DescribedRelease>();
    for (const each of listed) {
      const known = this.#releases.get(keyOf(each));
      const description =
        // Of another time: it was removed and stored again.
        known?.storedAt === each.storedAt || each.remote === shellName ? known?.description : undefined;
      const text = description ?? (await this.#registry.describe(each.remote, each.version));
      // Otherwise it was removed in the meantime.
      if (text !== undefined) described.set(keyOf(each), { ...each, description: text });
    }
    return described;
  }

  /**
   * Adds what was read to the copy, or replaces it.
   *
   * @throws Error if changes are missing; the copy is unchanged
   */
  #add(
    state: RegistryState,
    releases: ReadonlyMap<string, DescribedRelease>,
    how: 'continue' | 'replace' = 'continue',
  ): void {
    const isReplaced = how === 'replace';
    const states = new Map(isReplaced ? [] : this.#states);
    const added = state.changes.filter((change) => {
      const before = states.get(change.remote) ?? initialState;
      const after = reduce(before, change);
      states.set(change.remote, after);
      return after !== before;
    });
    const tooLate = state.changes.find(({ remote, revision }) => revision > (states.get(remote)?.revision ?? 0));
    if (tooLate)
      throw new Error(
        `The release registry lacks changes of ${tooLate.remote} before number ${tooLate.revision}, so its state is unknown. Restore the table releases.change from a backup.`,
      );
    const isSame =
      !isReplaced &&
      added.length === 0 &&
      isDeepStrictEqual([...releases], [...this.#releases]) &&
      isDeepStrictEqual(state.signatures, this.#signatures) &&
      isDeepStrictEqual(state.origins, this.#origins);
    if (isSame) return;
    if (isReplaced || added.length > 0) {
      this.#states = states;
      this.#changes = [...(isReplaced ? [] : this.#changes), ...added];
    }
    for (const [key, each] of this.#releases)
      if (releases.get(key)?.description !== each.description) this.#parsed.delete(key);
    this.#releases = releases;
    this.#signatures = state.signatures;
    this.#origins = state.origins;
    this.generation += 1;
    this.#save();
  }

  #parse({ remote, version, description }: DescribedRelease): Release | Error {
    const key = keyOf({ remote, version });
    const known = this.#parsed.get(key);
    if (known) return known;
    let parsed: Release | Error;
    try {
      parsed = readRelease(description, remote, 'the release registry');
      if (parsed.version !== version) parsed = new Error(`its release.json is of ${parsed.version}`);
    } catch (error) {
      parsed = error as Error;
    }
    this.#parsed.set(key, parsed);
    if (parsed instanceof Error) this.#onProblem(`${remote}@${version} can't be served: ${parsed.message}`);
    return parsed;
  }

  #load(file: string): void {
    try {
      const { changes, releases, signatures, origins } = JSON.parse(readFileSync(file, 'utf8')) as LastKnown;
      this.#add({ changes, releases: [], signatures, origins }, new Map(releases.map((each) => [keyOf(each), each])));
    } catch {
      // Missing or damaged: the registry has it all.
    }
  }

  #save(): void {
    if (!this.#file) return;
    const known: LastKnown = {
      changes: this.#changes,
      releases: [...this.#releases.values()],
      signatures: this.#signatures,
      origins: this.#origins,
    };
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.tmp`, JSON.stringify(known));
      renameSync(`${this.#file}.tmp`, this.#file);
      this.#reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#onProblem(`The last known releases can't be stored: ${message}`);
      this.#reported = message;
    }
  }
}
