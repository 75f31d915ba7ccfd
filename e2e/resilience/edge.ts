import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from '@daybook/testing/browser-test';
import { findNginx, startEdge } from '@daybook/testing/nginx';

/** Starts the edge before the common site, or skips the test on a machine without nginx. */
export async function openEdge(started: AsyncDisposableStack, backends?: readonly string[]) {
  const program = findNginx();
  test.skip(program === undefined, 'nginx is not installed');
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-edge-')));
  const limits = { LIMIT_NETWORK_REQUESTS: '1000000' };
  const site = process.env.SITE_URL ?? '';
  const { url } = await startEdge(program ?? '', started, folder, site, limits, backends);
  return { url, log: path.join(folder, 'access.log') };
}
