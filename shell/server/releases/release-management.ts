import { ReleaseLog } from './log/release-log.ts';
import { ReleaseChanges } from './release-changes.ts';
import { ReleaseStore } from './store/release-store.ts';

/** A releases folder with all that can be done to it. */
export interface ReleaseManagement {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  /** Remotes that the folder has beside those: a server with another `REMOTES` brought them. */
  readonly others: readonly string[];
  readonly store: ReleaseStore;
  readonly log: ReleaseLog;
  readonly changes: ReleaseChanges;
}

/**
 * Opens a releases folder; any number of processes may at once.
 *
 * @param others the remotes that it has beside those
 * @param report is told of damaged releases, and of what is wrong with the log; each once
 * @throws Error where the folder is there and can't be read
 */
export function openReleases(
  folder: string,
  remotes: readonly string[],
  report: (problem: string) => void,
  others: readonly string[] = [],
): ReleaseManagement {
  const store = new ReleaseStore(folder, report);
  const log = openLog(store.folder, report);
  return { remotes, others, store, log, changes: new ReleaseChanges(remotes, store, log, others) };
}

function openLog(folder: string, report: (problem: string) => void): ReleaseLog {
  try {
    return new ReleaseLog(folder, report);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`The releases folder ${folder} can't be read: ${message}. Set RELEASES_FOLDER to one that can.`, {
      cause: error,
    });
  }
}
