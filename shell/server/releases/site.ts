import { hashOf, readManifest } from '@daybook/contract/manifest';
import {
  type Release,
  type ReleaseFile,
  type RemoteIndex,
  releaseFileSchema,
  type State,
} from '@daybook/contract/release';
import * as z from 'zod';
import { indexOf, register } from './remote-index.ts';
import { type History, historyOf } from './state.ts';

/** The shell's own files are stored like a remote. */
export const shellName = 'shell';

export interface StoredManifest {
  readonly remote: string;
  readonly version: string;
  /** `release.json`, byte for byte; of the shell only its `files`. */
  readonly manifest: string;
  readonly storedAt: string;
}

export interface SiteContent {
  /** The last rows of each log, the oldest first. */
  readonly rows: readonly State[];
  readonly releases: readonly StoredManifest[];
}

export interface StoredRelease extends StoredManifest {
  readonly release: Release;
}

type Files = Readonly<Record<string, ReleaseFile>>;

const shellSchema = z.object({ files: z.record(z.string(), releaseFileSchema) });

/** Parsing takes most of a new site's time. */
const parsed = new WeakMap<StoredManifest, { readonly release?: Release; readonly files: Files }>();

function parse(stored: StoredManifest) {
  const known = parsed.get(stored);
  if (known) return known;
  let made: { readonly release?: Release; readonly files: Files };
  try {
    if (stored.remote === shellName) made = shellSchema.parse(JSON.parse(stored.manifest));
    else {
      // A newer server, with other limits, may have stored it.
      const release = readManifest(stored.manifest, stored.remote, Number.POSITIVE_INFINITY);
      made = { release, files: release.files };
    }
  } catch {
    // Another format, of a newer server.
    made = { files: {} };
  }
  parsed.set(stored, made);
  return made;
}

export interface SiteRemote extends History {
  readonly name: string;
  readonly rows: readonly State[];
  readonly state: State | undefined;
  readonly releases: readonly StoredRelease[];
}

/** What a server serves: states and manifests of all remotes, immutable. */
export class Site {
  readonly content: SiteContent;
  readonly remotes: readonly SiteRemote[];
  readonly #releases: ReadonlyMap<string, StoredRelease>;
  readonly #shellFiles: ReadonlyMap<string, string>;
  readonly #indexes = new Map<string, RemoteIndex>();
  readonly #formerIndexes: ReadonlyMap<string, RemoteIndex>;

  private constructor(
    content: SiteContent,
    remotes: readonly SiteRemote[],
    shellFiles: ReadonlyMap<string, string>,
    former: Site | undefined,
  ) {
    this.content = content;
    this.remotes = remotes;
    this.#shellFiles = shellFiles;
    this.#formerIndexes = former ? former.#indexes : new Map();
    const all = remotes.flatMap(({ releases }) => releases);
    this.#releases = new Map(all.map((each) => [`${each.remote}@${each.version}`, each]));
  }

  /** `former`: equal indexes stay the same objects, so that pages stay cached. */
  static from(content: SiteContent, names: readonly string[], former?: Site): Site {
    const rows = Map.groupBy(content.rows, ({ remote }) => remote);
    const stored = Map.groupBy(content.releases, ({ remote }) => remote);
    const remotes = names.map((name): SiteRemote => {
      const releases = (stored.get(name) ?? [])
        .flatMap((each) => {
          const { release } = parse(each);
          return release ? { ...each, release } : [];
        })
        .sort((one, other) => other.storedAt.localeCompare(one.storedAt));
      const versions = new Set(releases.map(({ version }) => version));
      const log = rows.get(name) ?? [];
      const history = historyOf(log);
      return {
        name,
        rows: log,
        state: log.at(-1),
        releases,
        ...history,
        former: history.former.filter((each) => versions.has(each)),
      };
    });
    const files = (stored.get(shellName) ?? []).flatMap((each) => Object.entries(parse(each).files));
    const hashes = new Map(files.map(([file, { integrity }]) => [file, hashOf(integrity)]));
    return new Site(content, remotes, hashes, former);
  }

  remote(name: string): SiteRemote | undefined {
    return this.remotes.find((each) => each.name === name);
  }

  find(remote: string, version: string | null | undefined): StoredRelease | undefined {
    return this.#releases.get(`${remote}@${version}`);
  }

  shellFile(name: string): string | undefined {
    return this.#shellFiles.get(name);
  }

  get hasCanary(): boolean {
    return this.remotes.some(({ state }) => state?.canary);
  }

  /** Returns the same object for the same releases; without a bucket (0 to 99) no canaries. */
  index(bucket = 100): RemoteIndex {
    const canaries = this.remotes.filter(({ state }) => bucket < (state?.percent ?? 0)).map(({ name }) => name);
    return this.#remember(canaries.join(), () =>
      this.#indexWith((remote) => {
        const { state } = remote;
        const active = this.find(remote.name, state?.active)?.release;
        const canary = canaries.includes(remote.name) ? this.find(remote.name, state?.canary)?.release : undefined;
        if (canary) return register(canary, active);
        return active && register(active, this.find(remote.name, remote.former[0])?.release);
      }),
    );
  }

  /** `undefined` if the release is not stored, or was rolled back. */
  preview(name: string, version: string): RemoteIndex | undefined {
    const remote = this.remote(name);
    const found = this.find(name, version)?.release;
    if (!remote || !found || remote.rolledBack.has(version)) return undefined;
    return this.#remember(`preview ${name}@${version}`, () => {
      // No fallback: a failure should be seen. First, so that it keeps its paths.
      const others = this.index().remotes.filter((each) => each.name !== name);
      const { missing } = this.index();
      const index = indexOf(
        [register(found), ...others],
        missing.filter((each) => each !== name),
      );
      return { ...index, preview: `${name}@${version}` };
    });
  }

  servedHashes(name: string): { readonly active: readonly string[]; readonly previous: readonly string[] } {
    const { state, former } = this.remote(name) ?? {};
    const hashesOf = (version: string | null | undefined) =>
      Object.values(this.find(name, version)?.release.files ?? {}).map(({ integrity }) => hashOf(integrity));
    return { active: [...hashesOf(state?.active), ...hashesOf(state?.canary)], previous: hashesOf(former?.[0]) };
  }

  allHashes(): ReadonlySet<string> {
    return new Set(
      this.content.releases.flatMap((each) =>
        Object.values(parse(each).files).map(({ integrity }) => hashOf(integrity)),
      ),
    );
  }

  #indexWith(registered: (remote: SiteRemote) => ReturnType<typeof register> | undefined): RemoteIndex {
    const found = this.remotes.map((remote) => ({ name: remote.name, remote: registered(remote) }));
    return indexOf(
      found.flatMap(({ remote }) => remote ?? []),
      found.filter(({ remote }) => !remote).map(({ name }) => name),
    );
  }

  #remember(key: string, make: () => RemoteIndex): RemoteIndex {
    const known = this.#indexes.get(key);
    if (known) return known;
    const made = make();
    const before = this.#formerIndexes.get(key);
    const index = before && JSON.stringify(before) === JSON.stringify(made) ? before : made;
    this.#indexes.set(key, index);
    return index;
  }
}
