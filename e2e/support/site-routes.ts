import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName } from '@daybook/contract';
import { remotes, root } from '../../scripts/workspaces.ts';

export interface SiteRoute {
  readonly remote: string;
  readonly route: string;
  /** The route with the query without which it leads on to another page. */
  readonly address: string;
}

const queries: Readonly<Record<string, string>> = { '/redirect': '?url=https%3A%2F%2Fsponsors.daybook.example%2F' };

const releaseOf = (remote: string): Release =>
  JSON.parse(readFileSync(path.join(root, remote, 'dist', releaseFileName), 'utf8'));

/** Every route of the built site. */
export const siteRoutes: readonly SiteRoute[] = remotes.flatMap((remote) =>
  releaseOf(remote).routes.map(({ path: route }) => ({ remote, route, address: route + (queries[route] ?? '') })),
);
