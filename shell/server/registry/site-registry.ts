import type { ReleaseRegistry } from '@daybook/releases/server';

/** A sign-in or sign-out at `/_releases`. */
export interface SignIn {
  /** ISO 8601. */
  readonly at: string;
  readonly operator: string;
  readonly action: 'sign-in' | 'sign-out';
  readonly network: string;
}

/** Views and failures of a release's pages within an interval. */
export interface CountedInterval {
  readonly remote: string;
  readonly version: string;
  /** Start, in ms since the epoch. */
  readonly at: number;
  readonly views: number;
  readonly failures: number;
}

/** An upload of a release. */
export interface Upload {
  /** In ms. By the clock of the database, which all shell servers share. */
  readonly age: number;
  readonly bytes: number;
}

/** Max number of sessions of one token: repeated sign-ins neither fill the database nor end the sessions of others. */
export const maxSessions = 100;

/**
 * All that the shell servers of a site store and share: its releases, and what they record. All methods throw `RegistryError`
 * while the database can't be used.
 */
export interface SiteRegistry extends ReleaseRegistry {
  readSession(id: string): Promise<unknown>;
  /**
   * Stores a session of an operator; removes expired ones, and the oldest ones of the same token beyond `maxSessions`.
   *
   * @param tokenName name of the operator's token; empty for the unnamed one
   */
  writeSession(id: string, tokenName: string, content: object, expiresAt: Date): Promise<void>;
  removeSession(id: string): Promise<void>;
  recordSignIn(signIn: Omit<SignIn, 'at'>): Promise<void>;
  /** Returns all of them, the oldest first. */
  signIns(): Promise<readonly SignIn[]>;
  /** Adds page views and failures to the counts of intervals; removes those before `oldest`, in ms since the epoch. */
  addCounts(counts: readonly CountedInterval[], oldest: number): Promise<void>;
  /** Returns the counts of a remote since a moment. */
  counts(remote: string, since: number): Promise<readonly CountedInterval[]>;
  /** Records an upload of a remote; removes those of all remotes older than `maxAge`, in ms. */
  addUpload(remote: string, bytes: number, maxAge: number): Promise<void>;
  /** Returns the uploads of a remote, the oldest first. */
  uploads(remote: string): Promise<readonly Upload[]>;
}
