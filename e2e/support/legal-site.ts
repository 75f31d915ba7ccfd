import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopChild } from '@daybook/testing/processes';
import { copyRelease } from '@daybook/testing/releases';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { buildFolder, remoteOrigins } from '@daybook/testing/workspaces';

export const operatorToken = 'operator-token-of-the-tests';

/** A shell server beside the site, whose origin of mf-legal a test can write to. */
export interface LegalSite {
  readonly address: string;
  /** Folder of the origin. */
  readonly origin: string;
  /** The version of mf-legal that was there first. */
  readonly first: string;
  /** Returns the version of mf-legal that a visitor gets. */
  served(headers?: Readonly<Record<string, string>>): Promise<string | undefined>;
}

/** @param options of the shell server, in addition */
export async function startLegalSite(
  started: AsyncDisposableStack,
  options: Partial<Parameters<typeof startShellServer>[0]> = {},
): Promise<LegalSite> {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-legal-site-')));
  const origin = path.join(folder, 'origin');
  const first = copyRelease('mf-legal', origin);
  const { address, child } = await startShellServer(
    {
      releasesFolder: path.join(folder, 'releases'),
      releasesInterval: 0.2,
      operatorToken,
      remotes: remoteOrigins((remote) => (remote === 'mf-legal' ? origin : buildFolder(remote))),
      ...options,
    },
    process.env.BACKEND_ADDRESS ?? '',
  );
  started.defer(() => stopChild(child));
  await untilMirrored(address);
  return {
    address,
    origin,
    first,
    async served(headers = {}) {
      const { remotes } = await (await fetch(`${address}/registry.json`, { headers })).json();
      return remotes.find(({ name }: { readonly name: string }) => name === 'mf-legal')?.version;
    },
  };
}
