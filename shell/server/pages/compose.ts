import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashOf, integrityOf } from '@daybook/contract/manifest';
import { fragmentReplacements, missingRemotesPlaceholder } from '@daybook/contract/page';
import { type RegisteredRoute, type Release, type ReleaseRoute, releaseFileUrl } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import type { SiteSettings } from '@daybook/contract/site';
import { escapeHtml } from '../html.ts';
import type { Blobs } from '../releases/blobs.ts';
import type { LiveSite } from '../releases/live-site.ts';

export interface NamedFile {
  readonly url: string;
  readonly integrity: string;
}

export interface Style extends NamedFile {
  readonly text: string;
}

async function readChecked(folder: string, file: string, integrity: string): Promise<string> {
  const content = await readFile(path.join(folder, file));
  if (integrityOf(content) !== integrity) throw new Error(`${file} has changed since it was built`);
  return content.toString();
}

function integrityIn(files: Release['files'], file: string): string {
  const listed = files[file];
  if (!listed) throw new Error(`${file} is not among the release's files`);
  return listed.integrity;
}

export function fillInSettings(html: string, settings: SiteSettings): string {
  const replacements = new Map(fragmentReplacements(settings));
  // One pass: a setting may contain another one's placeholder.
  const placeholder = new RegExp([...replacements.keys()].join('|').replaceAll('.', '\\.'), 'g');
  return html.replaceAll(placeholder, (found) => escapeHtml(replacements.get(found) ?? found));
}

function fillInMissing(html: string, missing: readonly string[]): string {
  const code = (name: string) => `<code>${name}</code>`;
  return html
    .replaceAll(code(missingRemotesPlaceholder), missing.map(code).join(', '))
    .replaceAll(missingRemotesPlaceholder, missing.join(' '));
}

export interface ComposedPage {
  readonly content: string;
  readonly shellStyles: readonly Style[];
  readonly release?: string;
  readonly pageStyles: readonly Style[];
  readonly scripts: readonly NamedFile[];
  readonly hydrate?: ReleaseRoute['hydrate'];
}

export class PageComposer {
  readonly #live: LiveSite;
  readonly #blobs: Blobs;
  readonly #shellFolder: string;

  constructor(live: LiveSite, blobs: Blobs, shellFolder: string) {
    this.#live = live;
    this.#blobs = blobs;
    this.#shellFolder = shellFolder;
  }

  /** @returns `undefined` if the release has no HTML of the route */
  async compose(
    { remote: { name, version }, route: { path } }: RegisteredRoute,
    manifest: ShellManifest,
    settings: SiteSettings,
  ): Promise<ComposedPage | undefined> {
    const release = this.#live.site.find(name, version)?.release;
    const route = release?.routes.find((each) => each.path === path);
    if (!release || !route) throw new Error('the release is not stored');
    if (route.fragment === undefined) return undefined;
    const { before, after } = manifest.frames[route.frame];
    const read = async (file: string) => String(await this.#blobs.get(hashOf(integrityIn(release.files, file))));
    const nameFile = (file: string): NamedFile => ({
      url: releaseFileUrl(release, file),
      integrity: integrityIn(release.files, file),
    });
    const readStyle = async (file: string): Promise<Style> => ({ ...nameFile(file), text: await read(file) });
    const id = `${name}@${version}`;
    const fragment = await read(route.fragment);
    return {
      content: fillInSettings(`${before}<div data-remote="${id}">${fragment}</div>${after}`, settings),
      release: id,
      shellStyles: await this.#shellStyles(manifest),
      pageStyles: await Promise.all(route.files.filter((file) => file.endsWith('.css')).map(readStyle)),
      scripts: [release.entry, ...route.files.filter((file) => file.endsWith('.js'))].map(nameFile),
      hydrate: route.hydrate,
    };
  }

  async composeUnknown(
    missing: readonly string[],
    manifest: ShellManifest,
    settings: SiteSettings,
  ): Promise<ComposedPage> {
    const { notFoundPage, missingRemotesPage } = manifest;
    const html = missing.length > 0 ? fillInMissing(missingRemotesPage, missing) : notFoundPage;
    return {
      content: fillInSettings(html, settings),
      shellStyles: await this.#shellStyles(manifest),
      pageStyles: [],
      scripts: [],
    };
  }

  #shellStyles({ styles }: ShellManifest): Promise<readonly Style[]> {
    return Promise.all(
      styles.map(async ({ file, integrity }) => ({
        url: `/assets/${file}`,
        integrity,
        text: await readChecked(this.#shellFolder, file, integrity),
      })),
    );
  }
}
