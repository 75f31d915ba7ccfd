import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  createTemporarySite,
  releaseOf,
  routeOf,
  type TemporarySite,
} from '../../../packages/releases/src/test/temporary-site.ts';
import { addressOf, runBackend, runShellServer } from './processes.ts';
import { useDatabase } from './use-backend.ts';

/** Runs both servers as processes for each visit, on a site with a release of one remote. */
export function useSite() {
  const database = useDatabase();
  let site: TemporarySite;
  beforeAll(() => {
    site = createTemporarySite();
    site.release(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/thank-you')] }));
  });
  afterAll(() => site?.remove());
  /** Runs a visit, and returns the standard output of both servers. */
  const visit = async (variables: Record<string, string>, visitor: (address: string) => Promise<unknown>) => {
    const shared = { PORT: '0', DRAIN_SECONDS: '0', ...variables };
    const backend = runBackend('main', { ...shared, DATABASE_URL: database.url, COOKIE_SECRET: 'x'.repeat(32) });
    const shell = runShellServer(site.shellFolder, {
      ...shared,
      HOST: '127.0.0.1',
      BACKEND_URL: await addressOf(backend.child),
      REMOTES: `mf-signup=file:${site.folderOf('mf-signup')}`,
      RELEASES_FOLDER: join(site.folder, 'releases'),
      TRUSTED_PROXIES: '1',
    });
    await visitor(await addressOf(shell.child));
    let output = '';
    for (const { child, ended } of [shell, backend]) {
      child.kill('SIGTERM');
      const { exitCode, output: written, errors } = await ended;
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
      output += written;
    }
    return output;
  };
  return { database, visit };
}
