import type { Registry, Release, ReleaseFile } from '@daybook/contract';

/** A file of a release on this server's disk. */
export interface LocatedFile {
  readonly folder: string;
  readonly file: string;
}

/** Fragments in the form that the parser wrote, by the names that the release has for them. */
export interface CheckedFragments {
  readonly folder: string;
  readonly files: Readonly<Record<string, ReleaseFile>>;
}

/** A release on this server's disk. */
export interface KeptRelease {
  readonly release: Release;
  /** Where its files are. */
  readonly folder: string;
  /** `undefined` where it was stored by a server that did not check them yet. */
  readonly fragments: CheckedFragments | undefined;
}

/** The releases that the site is made of at this moment. */
export interface SiteReleases {
  /**
   * The registry for a visitor; the same object for as long as the visitor's releases stay the same.
   *
   * @param bucket the visitor's number from 0 to 99, which decides on canaries; without it, none
   */
  registry(bucket?: number): Registry;
  /** Whether some visitors get other releases than others. */
  hasCanary(): boolean;
  /** Finds a release that is kept here. */
  find(name: string, version: string): KeptRelease | undefined;
  /** Finds a file by its place on the site; only files that a release names are ever found. */
  locate(name: string, version: string, file: string): LocatedFile | undefined;
}
