import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import { readRelease } from '../gate/gate.ts';
import type { NewestSignature } from '../signature/signature.ts';
import { type Deployment, initialState, previousVersions, type RemoteState, reduce } from '../state/remote-state.ts';
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
interface LastKnown extends Pick<RegistryState, 'deployments' | 'signatures' | 'origins'> {
  readonly releases: readonly DescribedRelease[];
}

const keyOf = ({ remote, version }: Pick<ListedRelease, 'remote' | 'version'>) => `${remote}@${version}`;

/** Returns a remote whose last known deployment is no longer in the registry. */
function findReplaced(last: ReadonlyMap<string, Deployment>, deployments: readonly Deployment[]): string | undefined {
  return [...last].find(([remote, deployment]) => {
    const found = deployments.find((each) => each.remote === remote && each.number === deployment.number);
    return !isDeepStrictEqual(found, deployment);
  })?.[0];
}

/**
 * One server's copy of the registry, in memory: pages are served, and deployments decided, from it. The copy on disk may be
 * deleted at any time; it lets a server start while the registry can't be used.
 */
export class RegistryCopy {
  readonly #registry: ReleaseRegistry;
  readonly #file: string | undefined;
  readonly #onProblem: (problem: string) => void;
  readonly #onRecovery: (message: string) => void;
  #deployments: readonly Deployment[] = [];
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
   * @param onRecovery called once when a problem has ended
   */
  constructor(
    registry: ReleaseRegistry,
    folder: string | undefined,
    onProblem: (problem: string) => void = () => undefined,
    onRecovery: (message: string) => void = () => undefined,
  ) {
    this.#registry = registry;
    this.#file = folder && path.join(folder, 'last-known.json');
    this.#onProblem = onProblem;
    this.#onRecovery = onRecovery;
    if (this.#file) this.#load(this.#file);
  }

  stateOf(remote: string): RemoteState {
    return this.#states.get(remote) ?? initialState;
  }

  /** Returns the deployments of a remote, or of all remotes, the oldest first. */
  deployments(remote?: string): readonly Deployment[] {
    return remote === undefined
      ? this.#deployments.toSorted((one, other) => one.at.localeCompare(other.at))
      : this.#deployments.filter((each) => each.remote === remote);
  }

  /** Returns whether a release was ever activated or offered: an origin that offers it again changes nothing by itself. */
  wasDeployed(remote: string, version: string): boolean {
    return this.#deployments.some((each) => each.remote === remote && each.version === version);
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

  /** Returns the stored release that was active before the active one and that no rollback left. */
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
   * Appends a deployment to the registry, and to this copy without reading the registry again.
   *
   * @returns the deployment with its time
   * @throws ConflictError if the remote has one of this number already, or no longer the release
   * @throws RegistryError
   */
  async append(deployment: Omit<Deployment, 'at'>): Promise<Deployment> {
    const made = await this.#registry.append(deployment);
    const before = this.stateOf(made.remote);
    const after = reduce(before, made);
    // Otherwise a refresh has brought it meanwhile.
    if (after !== before) {
      this.#states = new Map(this.#states).set(made.remote, after);
      this.#deployments = [...this.#deployments, made];
      this.generation += 1;
      this.#save();
    }
    return made;
  }

  async #read(): Promise<void> {
    try {
      // As of now: this server may append a deployment while it reads.
      const last = new Map(this.#deployments.map((each) => [each.remote, each]));
      const known = new Map([...last].map(([remote, { number }]) => [remote, number]));
      const state = await this.#registry.read(known);
      const replaced = findReplaced(last, state.deployments);
      if (replaced === undefined) this.#add(state, await this.#describe(state.releases));
      else {
        const whole = await this.#registry.read(new Map());
        this.#add(whole, await this.#describe(whole.releases), 'replace');
        this.#onProblem(
          `The release registry has other deployments of ${replaced} than before: was it restored from a backup? Its present state counts.`,
        );
      }
      if (this.problem)
        this.#onRecovery(`The release registry can be used again; it could not since ${this.problem.since}.`);
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
   * @throws Error if deployments are missing; the copy is unchanged
   */
  #add(
    state: RegistryState,
    releases: ReadonlyMap<string, DescribedRelease>,
    how: 'continue' | 'replace' = 'continue',
  ): void {
    const isReplaced = how === 'replace';
    const states = new Map(isReplaced ? [] : this.#states);
    const added = state.deployments.filter((deployment) => {
      const before = states.get(deployment.remote) ?? initialState;
      const after = reduce(before, deployment);
      states.set(deployment.remote, after);
      return after !== before;
    });
    const tooLate = state.deployments.find(({ remote, number }) => number > (states.get(remote)?.number ?? 0));
    if (tooLate)
      throw new Error(
        `The release registry lacks deployments of ${tooLate.remote} before number ${tooLate.number}, so its state is unknown. Restore the table releases.deployment from a backup.`,
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
      this.#deployments = [...(isReplaced ? [] : this.#deployments), ...added];
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
      const { deployments, releases, signatures, origins } = JSON.parse(readFileSync(file, 'utf8')) as LastKnown;
      const described = new Map(releases.map((each) => [keyOf(each), each]));
      this.#add({ deployments, releases: [], signatures, origins }, described);
    } catch {
      // Missing or damaged: the registry has it all.
    }
  }

  #save(): void {
    if (!this.#file) return;
    const known: LastKnown = {
      deployments: this.#deployments,
      releases: [...this.#releases.values()],
      signatures: this.#signatures,
      origins: this.#origins,
    };
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.tmp`, JSON.stringify(known));
      renameSync(`${this.#file}.tmp`, this.#file);
      if (this.#reported) this.#onRecovery('The last known releases can be stored again.');
      this.#reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#onProblem(`The last known releases can't be stored: ${message}`);
      this.#reported = message;
    }
  }
}
