import type { ReleaseFile } from '@daybook/contract/release';
import { databaseStateOf } from '@daybook/server';
import type { FileSource } from '../manifest/release-files.ts';
import type { Deployment, NewDeployment } from './remote-state.ts';

/** Thrown if somebody else has changed the same remote since its state was read; nothing has changed then. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** Thrown if the registry did not respond. A change may have been made nevertheless: its confirmation may be lost. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    const database = databaseStateOf(cause);
    const reason = `${database ? `the database ${database.state}: ` : ''}${message || code}.`;
    super(`The release registry can't be used: ${reason}${database ? ` ${database.remedy}` : ''}`, { cause });
  }
}

/** A release in the registry, without its content. */
export interface ListedRelease {
  /** The remote's name; `shell` for the shell's own builds. */
  readonly remote: string;
  readonly version: string;
  /** In ms since the epoch. */
  readonly storedAt: number;
}

/** The manifest of a stored release, and its pages. */
export interface StoredManifest {
  /** Its `release.json` as signed, byte for byte; of a build of the shell, the same with files only. */
  readonly manifest: string;
  /** The checked HTML of its pages, by the name of their fragments; stored as files below `.pages/`. */
  readonly pages: Readonly<Record<string, ReleaseFile>>;
}

/** A release to store. */
export interface NewRelease extends StoredManifest {
  readonly remote: string;
  readonly version: string;
  /** The team's signature; `null` of a build of the shell. */
  readonly signature: string | null;
}

/** Where the page of a fragment is, among the files of a stored release: no name of a release's own file begins so. */
export const pageFileName = (fragment: string) => `.pages/${fragment}`;

/** Returns all files of a stored release: its own, and its pages. */
export const storedFiles = (
  files: Readonly<Record<string, ReleaseFile>>,
  pages: StoredManifest['pages'],
): Readonly<Record<string, ReleaseFile>> => ({
  ...files,
  ...Object.fromEntries(Object.entries(pages).map(([name, file]) => [pageFileName(name), file])),
});

/** What one read of the registry returns: everything about releases but their content, at one moment. */
export interface RegistryRead {
  /** Of each remote the last one that the caller knows and the later ones, by number: the database's clock may be set back. */
  readonly deployments: readonly Deployment[];
  readonly releases: readonly ListedRelease[];
}

/** Why a release is published without a deployment: its remote is held, or nothing changed since it was published before. */
export type NotDeployed = 'held' | 'known';

/**
 * The releases of a site and the log of deployments, shared by all shell servers. Which release is active is the sum of a
 * remote's deployments. All methods throw `RegistryError` while the registry can't be reached.
 */
export interface ReleaseRegistry {
  /**
   * Returns the present state.
   *
   * @param known number of the last deployment that the caller knows, by remote. It is returned as well: if it differs
   *   from the known one, the registry was restored from a backup.
   */
  read(known: ReadonlyMap<string, number>): Promise<RegistryRead>;
  /** Returns manifest and pages of a release; `undefined` if it is not stored. */
  readManifest(remote: string, version: string): Promise<StoredManifest | undefined>;
  /** Returns a file of a release; `undefined` if it is not stored. */
  readFile(remote: string, version: string, name: string): Promise<Buffer | undefined>;
  /**
   * Stores a release, whole or not at all.
   *
   * @param files their names, with those of its pages
   * @param contentOf reads one of them
   * @returns `false` if there is one of this version already, which is unchanged
   */
  store(release: NewRelease, files: readonly string[], contentOf: (name: string) => Promise<Buffer>): Promise<boolean>;
  /**
   * Stores a release and appends a deployment of it: both, or neither.
   *
   * @param decide returns the deployment for the state of now, or why the release is only stored; called again if another
   *   deployment of the remote came first
   * @returns the deployment with its time, or why there is none
   * @throws ConflictError if there is a release of this version already, or other deployments always come first
   */
  publish(
    release: NewRelease,
    files: readonly string[],
    contentOf: (name: string) => Promise<Buffer>,
    decide: () => Promise<NewDeployment | NotDeployed>,
  ): Promise<Deployment | NotDeployed>;
  /** Replaces manifest and signature of a stored release, whose content is the same: its commit is known by now. */
  restate(release: Pick<NewRelease, 'remote' | 'version' | 'manifest' | 'signature'>): Promise<void>;
  /** Notes that a release is in use again: it is stored as of now. */
  touch(remote: string, version: string): Promise<void>;
  /**
   * Removes releases, unless the remote has changed since: one of them may be the active one now.
   *
   * @param number that of the remote's last deployment when the releases were chosen
   */
  remove(remote: string, versions: readonly string[], number: number): Promise<void>;
  /**
   * Appends a deployment.
   *
   * @returns the deployment with its time
   * @throws ConflictError if the remote has one of this number already, or no longer the release that an audience shall get
   */
  append(deployment: NewDeployment): Promise<Deployment>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** How often a deployment is decided again because another one came first. */
export const maxAttempts = 10;

/** Returns whether a deployment gives its release to visitors, so that it must be stored. */
export const needsRelease = ({ action }: Pick<Deployment, 'action'>): boolean =>
  action === 'activate' || action === 'offer';

export const conflictOf = (remote: string) =>
  new ConflictError(`${remote} was changed by somebody else at the same moment; check its state and try again.`);

/** Returns a source that reads the files of a stored release. */
export const filesIn = (registry: ReleaseRegistry, remote: string, version: string): FileSource =>
  async function* read(name) {
    const content = await registry.readFile(remote, version, name);
    if (!content) throw new Error(`${name} of ${remote} ${version} is no longer in the registry`);
    yield content;
  };
