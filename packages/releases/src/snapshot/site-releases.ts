import type { Release, ReleaseFile, RemoteIndex } from '@daybook/contract/release';

/** A release whose checked files are on this server. */
export interface LocalRelease {
  readonly release: Release;
  /** Its `release.json` as published. */
  readonly manifest: string;
  /** Folder of its files. */
  readonly folder: string;
  /** Returns the checked HTML of a page by the name of its fragment, as a file of the folder. */
  pageFile(fragment: string): (ReleaseFile & { readonly name: string }) | undefined;
}

/** A running preview, and the site as its visitors see it. */
export interface PreviewedSite {
  readonly remote: string;
  readonly version: string;
  /** In ms since the epoch. */
  readonly endsAt: number;
  /** The active releases, but the previewed one of its remote; `undefined` while its files are not here. */
  readonly index: RemoteIndex | undefined;
}

/** The site's current releases. */
export interface SiteReleases {
  /**
   * Returns the remote index for a visitor; the same object as long as the visitor's releases stay the same.
   *
   * @param bucket the visitor's canary bucket from 0 to 99; without it, no canaries
   */
  remoteIndex(bucket?: number): RemoteIndex;
  /** Returns whether any canary runs. */
  hasCanary(): boolean;
  /** Finds the running preview of a link's token. */
  findPreview(token: string): PreviewedSite | undefined;
  /** Finds a release on this server. */
  find(name: string, version: string): LocalRelease | undefined;
  /** Returns as soon as this server has what was in the registry at the time of the call, or after a timeout. */
  catchUp(): Promise<void>;
}
