import type { Environment } from '../environment.ts';
import { ActiveReleases } from './active-releases.ts';
import { ReleaseMirror } from './mirror/release-mirror.ts';
import type { Problem } from './mirror/remote-mirror.ts';
import { openOrigin } from './origins/open-origin.ts';
import type { ReleaseManagement } from './release-management.ts';

/** After failures the origins are asked this many intervals apart at most. */
const longestWait = 10;

export interface MirroredReleasesOptions {
  readonly environment: Pick<Environment, 'remotes' | 'releasesInterval' | 'releasesKept'>;
  readonly management: ReleaseManagement;
  /** Is told each problem of a remote's origin or release once. */
  readonly onProblem: (remote: string, problem: Problem) => void;
  readonly onError: (error: unknown) => void;
}

/** The active releases, with the mirrors that bring new ones. */
export function mirrorReleases({ environment, management, onProblem, onError }: MirroredReleasesOptions) {
  const { store, log, changes } = management;
  const { remotes, releasesInterval, releasesKept } = environment;
  const releases = new ActiveReleases(management.remotes, store, log);
  const mirror = new ReleaseMirror(
    remotes.map(({ name, origin }) => ({
      remote: name,
      origin: openOrigin(origin),
      store,
      log,
      changes,
      kept: releasesKept,
      onProblem: (problem) => onProblem(name, problem),
    })),
    { interval: releasesInterval * 1000, longestInterval: releasesInterval * longestWait * 1000 },
  );
  return {
    releases,
    /** Takes over what is at the origins, and goes on looking. */
    async start(): Promise<void> {
      // What an earlier run left half done; serving the site does not depend on it.
      await store.sweep().catch(onError);
      releases.watch(onError);
      await mirror.start();
    },
    /** Ends all looks; resolves when nothing is written any longer. */
    async stop(): Promise<void> {
      releases.stop();
      await mirror.stop();
    },
  };
}
