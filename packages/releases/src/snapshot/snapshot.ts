import { type Release, type RemoteIndex, settlePaths } from '@daybook/contract/release';
import { register } from '../manifest/registered-remote.ts';
import { pageFileName } from '../registry/release-registry.ts';
import {
  type Deployment,
  initialState,
  previousVersions,
  type RemoteState,
  runningPreview,
} from '../registry/remote-state.ts';
import { hashOfToken, previewTokenPattern } from '../signature/preview-token.ts';
import { keyOf, type RegistryContent, type StoredRelease, shellName } from './registry-content.ts';
import type { LocalRelease, PreviewedSite, SiteReleases } from './site-releases.ts';

/** A stored release of a remote that this shell can serve, whether its files are here or not. */
export type ServableRelease = StoredRelease & { readonly release: Release };

const isServable = (each: StoredRelease | undefined): each is ServableRelease => each?.release !== undefined;

/** The releases that visitors get of a remote. */
export interface ServedRemote {
  /** The active release; a fallback as long as its files are not here. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The previous release, unless it is served already. */
  readonly previous?: Release;
}

/** Compares releases by identity: other ones need another index, for which pages are composed again. */
function isSame(one: ReadonlyMap<string, ServedRemote>, other: ReadonlyMap<string, ServedRemote>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([remote, { served, canary, previous }]) => {
    const there = other.get(remote);
    return (
      there?.served === served &&
      there.previous === previous &&
      there.canary?.release === canary?.release &&
      there.canary?.percent === canary?.percent
    );
  });
}

/**
 * What the registry had at a moment, and what this server can serve of it. Immutable: all methods are lookups, and another
 * state is another snapshot.
 */
export class Snapshot implements Omit<SiteReleases, 'catchUp'> {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  readonly content: RegistryContent;
  /** Where the checked files of releases are on this server, by `<remote>@<version>`. */
  readonly folders: ReadonlyMap<string, string>;
  readonly #served: ReadonlyMap<string, ServedRemote>;
  /** By the releases in them; the same objects as in the snapshot before if visitors get the same. */
  readonly #indexes: Map<string, RemoteIndex>;
  /** Releases that visitors get, and that the registry has lost. */
  readonly #lost: ReadonlyMap<string, LocalRelease>;

  /**
   * @param before the snapshot that this one replaces: a remote of which nothing can be served now goes on with what it
   *   served there, such as after a loss of the registry
   */
  constructor(
    remotes: readonly string[],
    content: RegistryContent,
    folders: ReadonlyMap<string, string>,
    before?: Snapshot,
  ) {
    this.remotes = remotes;
    this.content = content;
    this.folders = folders;
    this.#lost = new Map(remotes.flatMap((remote) => this.#findLost(remote, before)));
    const chosen = remotes.map((remote) => [remote, this.#choose(remote, before)] as const);
    const served = new Map(chosen.flatMap(([remote, each]) => (each ? [[remote, each] as const] : [])));
    const isUnchanged = before?.remotes === remotes && isSame(served, before.#served);
    this.#served = isUnchanged ? before.#served : served;
    this.#indexes = isUnchanged ? before.#indexes : new Map();
  }

  stateOf(remote: string): RemoteState {
    return this.content.states.get(remote) ?? initialState;
  }

  /** Returns the deployments of a remote, or of all remotes, the oldest first. */
  deployments(remote?: string): readonly Deployment[] {
    const { deployments } = this.content;
    return remote === undefined
      ? deployments.toSorted((one, other) => one.at.localeCompare(other.at))
      : deployments.filter((each) => each.remote === remote);
  }

  /** Returns all stored releases of a remote, also those that this shell can't serve, the last stored first. */
  storedOf(remote: string): readonly StoredRelease[] {
    return [...this.content.releases.values()]
      .filter((each) => each.remote === remote)
      .sort((one, other) => other.storedAt - one.storedAt);
  }

  /** Returns the stored releases of a remote that this shell can serve, the last stored first. */
  servableOf(remote: string): readonly ServableRelease[] {
    return this.storedOf(remote).filter(isServable);
  }

  /** Returns a stored release that this shell can serve, whether its files are here or not. */
  servable(remote: string, version: string): ServableRelease | undefined {
    const found = this.content.releases.get(keyOf({ remote, version }));
    return isServable(found) ? found : undefined;
  }

  /** Returns the stored release that was active before the active one and that no rollback left. */
  previousOf(remote: string): ServableRelease | undefined {
    const versions = previousVersions(this.stateOf(remote));
    return versions.map((version) => this.servable(remote, version)).find((found) => found !== undefined);
  }

  /** Returns why a release can't be served from here; `undefined` if it can. */
  problemOf(remote: string, version: string): string | undefined {
    if (this.find(remote, version)) return undefined;
    const { error } = this.content.releases.get(keyOf({ remote, version })) ?? {};
    return error?.message ?? 'its files are not here yet';
  }

  find(remote: string, version: string): LocalRelease | undefined {
    const found = this.remotes.includes(remote) ? this.servable(remote, version) : undefined;
    const folder = this.folders.get(keyOf({ remote, version }));
    if (!found || folder === undefined) return this.#lost.get(keyOf({ remote, version }));
    const pageFile = (fragment: string) => {
      const page = found.pages[fragment];
      return page && { name: pageFileName(fragment), ...page };
    };
    return { release: found.release, manifest: found.manifest, folder, pageFile };
  }

  /** Returns the folder of a build of the shell that has this file; `undefined` if none is here. */
  shellFolderOf(file: string): string | undefined {
    const found = this.storedOf(shellName).find(
      (each) => Object.hasOwn(each.files, file) && this.folders.has(keyOf(each)),
    );
    return found && this.folders.get(keyOf(found));
  }

  /** Returns the releases that visitors get of a remote; `undefined` if there are none. */
  servedBy(remote: string): ServedRemote | undefined {
    return this.#served.get(remote);
  }

  remoteIndex(bucket = 100): RemoteIndex {
    const chosen = [...this.#served].map(([name, { served, canary, previous }]) => {
      const inCanary = canary !== undefined && bucket < canary.percent;
      return { name, release: inCanary ? canary.release : served, fallback: inCanary ? served : previous };
    });
    return this.#remember(chosen.map(({ release }) => release.version).join(), () => ({
      remotes: settlePaths(chosen.map(({ release, fallback }) => register(release, fallback))),
      missing: this.remotes.filter((name) => !this.#served.has(name)),
    }));
  }

  hasCanary(): boolean {
    return [...this.#served.values()].some(({ canary }) => canary !== undefined);
  }

  findPreview(token: string): PreviewedSite | undefined {
    if (!previewTokenPattern.test(token)) return undefined;
    // Need not take constant time: a hash says nothing about the token.
    const hash = hashOfToken(token);
    const previewOf = (remote: string) => runningPreview(this.stateOf(remote));
    const remote = this.remotes.find((each) => previewOf(each)?.tokenHash === hash);
    const preview = remote && previewOf(remote);
    if (!preview) return undefined;
    const { version, endsAt } = preview;
    return { remote, version, endsAt: Date.parse(endsAt), index: this.#previewIndex(remote, version) };
  }

  /** Without a fallback: if the previewed release fails, its visitors should see that. */
  #previewIndex(remote: string, version: string): RemoteIndex | undefined {
    const release = this.find(remote, version)?.release;
    if (!release) return undefined;
    const key = keyOf({ remote, version });
    return this.#remember(key, () => ({
      remotes: settlePaths(
        this.remotes.flatMap((name) => {
          if (name === remote) return register(release);
          const { served, previous } = this.#served.get(name) ?? {};
          return served ? register(served, previous) : [];
        }),
      ),
      missing: this.remotes.filter((name) => name !== remote && !this.#served.has(name)),
      preview: key,
    }));
  }

  #findLost(remote: string, before: Snapshot | undefined): readonly (readonly [string, LocalRelease])[] {
    const { served } = before?.servedBy(remote) ?? {};
    const key = served && keyOf({ remote, version: served.version });
    const found = served && before?.find(remote, served.version);
    return key && found && !this.content.releases.has(key) ? [[key, found]] : [];
  }

  #remember(key: string, make: () => RemoteIndex): RemoteIndex {
    const index = this.#indexes.get(key) ?? make();
    this.#indexes.set(key, index);
    return index;
  }

  #choose(remote: string, before: Snapshot | undefined): ServedRemote | undefined {
    const state = this.stateOf(remote);
    const { active, canary } = state;
    const find = (version: string) => this.find(remote, version)?.release;
    const previous = previousVersions(state)
      .map(find)
      .find((release) => release !== undefined);
    const served = (active && find(active)) || previous || before?.servedBy(remote)?.served;
    if (!served) return undefined;
    const newcomer = canary && find(canary.version);
    return {
      served,
      ...(newcomer ? { canary: { release: newcomer, percent: canary.percent } } : {}),
      ...(previous && previous !== served ? { previous } : {}),
    };
  }
}
