import { createHash } from 'node:crypto';
import type { Registry, ShellManifest } from '@daybook/contract';
import { integrityOf } from '@daybook/release';
import type { FastifyInstance } from 'fastify';
import type { NamedFile } from '../pages/composed-page.ts';

const scriptPath = '/_development/reload.js';
const versionPath = '/_development/version';

/** Polls for a build other than the one that the page was made of, and reloads the page when there is one. */
const script = `
const shown = new URL(document.currentScript.src).searchParams.get('version');
setInterval(async () => {
  const version = await fetch('${versionPath}').then((response) => response.text(), () => shown);
  if (version !== shown) location.reload();
}, 500);
`;

/** Returns a text that changes with each build of shell or remotes. */
function buildVersion({ remotes }: Registry, { scripts, styles }: ShellManifest): string {
  const entries = remotes.map(({ entry }) => entry);
  return createHash('sha256')
    .update(JSON.stringify([entries, scripts, styles]))
    .digest('hex')
    .slice(0, 12);
}

/** Returns the script that reloads a page made of these builds after the next build. */
export function reloadScript(registry: Registry, manifest: ShellManifest): NamedFile {
  return {
    address: `${scriptPath}?version=${buildVersion(registry, manifest)}`,
    integrity: integrityOf(Buffer.from(script)),
  };
}

export function registerLiveReload(app: FastifyInstance, builds: () => readonly [Registry, ShellManifest]): void {
  app.get(scriptPath, (_, reply) => reply.type('text/javascript').send(script));
  app.get(versionPath, (_, reply) =>
    reply
      .header('Cache-Control', 'no-store')
      .type('text/plain')
      .send(buildVersion(...builds())),
  );
}
