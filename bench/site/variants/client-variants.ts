import path from 'node:path';
import { findFreePort } from '@daybook/testing/ports';
import type { SiteRoute } from '@daybook/testing/routes';
import { buildSingleBundle, buildStockFederation, type ClientBuild } from './client-builds.ts';
import { pageHeaders, serveFolder, writeCompressed } from './serve-folder.ts';
import { type Variant, variantNames } from './variant.ts';

/** The page that an application which renders in the browser is served in, whatever the address. */
export const clientPage = ({ scripts, styles }: ClientBuild): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Daybook</title>',
    '<meta name="color-scheme" content="light dark">',
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...scripts.map((file) => `<script defer src="/${file}"></script>`),
    '</head>',
    '<body><div id="root"></div></body>',
    '</html>',
    '',
  ].join('\n');

/** They name what the site's own scripts have and these don't: integrity values, a Trusted Types policy. */
const ofTheSiteAlone = ['content-security-policy', 'integrity-policy'];

interface ClientVariantOptions {
  readonly started: AsyncDisposableStack;
  readonly folder: string;
  /** The site's address, whose headers are sent. */
  readonly site: string;
  readonly routes: readonly SiteRoute[];
}

async function serveClient(
  { started, folder, site, routes }: ClientVariantOptions,
  name: string,
  build: (folder: string, address: string) => Promise<ClientBuild>,
): Promise<Variant> {
  const port = await findFreePort();
  const place = path.join(folder, name.replaceAll(' ', '-'));
  const built = await build(place, `http://localhost:${port}`);
  await writeCompressed(path.join(place, 'index.html'), Buffer.from(clientPage(built)));
  const headers = await pageHeaders(site);
  for (const header of ofTheSiteAlone) delete headers[header];
  const pages = Object.fromEntries(routes.map(({ path }) => [path, 'index.html']));
  const { address } = await serveFolder(started, place, { headers, pages }, port);
  return { name, address, hydrates: true };
}

/** Builds and serves the site's sources as one bundle. */
export const serveSingleBundle = (options: ClientVariantOptions): Promise<Variant> =>
  serveClient(options, variantNames.singleBundle, buildSingleBundle);

/** Builds and serves the site's sources with Module Federation as its documentation has it. */
export const serveStockFederation = (options: ClientVariantOptions): Promise<Variant> =>
  serveClient(options, variantNames.stockFederation, buildStockFederation);
