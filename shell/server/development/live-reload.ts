import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { integrityOf } from '@daybook/contract/manifest';
import type { RemoteIndex } from '@daybook/contract/release';
import { buildErrorsFileName, type ShellManifest } from '@daybook/contract/server';
import type { FastifyInstance } from 'fastify';
import type { NamedFile } from '../pages/compose.ts';

const scriptPath = '/_development/reload.js';
const statePath = '/_development/state';

const script = `
const shown = new URL(document.currentScript.src).searchParams.get('version');
let dialog = document.createElement('dialog');
const show = (errors) => {
  if (errors === (dialog.textContent || '')) return;
  dialog.remove();
  dialog = document.createElement('dialog');
  if (!errors) return;
  const text = document.createElement('pre');
  text.textContent = errors;
  text.style.cssText = 'margin: 0; font: 14px/1.4 monospace; white-space: pre-wrap';
  dialog.style.cssText = 'max-width: 60rem; padding: 1.5rem; border: 4px solid #c00; background: #fff; color: #000';
  dialog.setAttribute('aria-label', 'Compile errors');
  dialog.append(text);
  document.body.append(dialog);
  dialog.showModal();
};
setInterval(async () => {
  const state = await fetch('${statePath}').then((response) => response.json()).catch(() => undefined);
  if (state && state.version !== shown) location.reload();
  else if (state) show(state.errors);
}, 500);
`;

function buildVersion({ remotes }: RemoteIndex, { scripts, styles }: ShellManifest): string {
  const entries = remotes.map(({ entry }) => entry);
  return hash('sha256', JSON.stringify([entries, scripts, styles])).slice(0, 12);
}

export function reloadScript(index: RemoteIndex, manifest: ShellManifest): NamedFile {
  return {
    url: `${scriptPath}?version=${buildVersion(index, manifest)}`,
    integrity: integrityOf(Buffer.from(script)),
  };
}

function readBuildErrors(name: string, folder: string): string {
  try {
    return `${name}\n\n${readFileSync(path.join(folder, buildErrorsFileName), 'utf8').trim()}`;
  } catch {
    return '';
  }
}

export function registerLiveReload(
  app: FastifyInstance,
  builds: () => readonly [RemoteIndex, ShellManifest],
  folders: ReadonlyMap<string, string>,
): void {
  app.get(scriptPath, (_, reply) => reply.type('text/javascript').send(script));
  app.get(statePath, (_, reply) => {
    const errors = [...folders].map(([name, folder]) => readBuildErrors(name, folder)).filter((text) => text !== '');
    const version = buildVersion(...builds());
    return reply.header('Cache-Control', 'no-store').send({ version, errors: errors.join('\n\n') });
  });
}
