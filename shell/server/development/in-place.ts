import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashOf, integrityOf, readManifest } from '@daybook/contract/manifest';
import { type Release, releaseFileName, type State } from '@daybook/contract/release';
import type { SiteContent } from '../releases/site.ts';

interface Build {
  readonly seen: number;
  readonly release: Release;
  readonly manifest: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Serves builds in folders in place of releases. A broken build leaves the last good one. */
export class InPlaceBuilds {
  readonly folders: ReadonlyMap<string, string>;
  readonly #report: (problem: string) => void;
  /** The newest first: open pages still load files of the one before. */
  readonly #builds = new Map<string, readonly [Build, ...Build[]]>();
  #made: { readonly stored: SiteContent; readonly content: SiteContent } | undefined;

  constructor(folders: ReadonlyMap<string, string>, report: (problem: string) => void) {
    this.folders = folders;
    this.#report = report;
  }

  fileOf = (hash: string): Buffer | undefined =>
    [...this.#builds.values()]
      .flat()
      .find(({ files }) => files.has(hash))
      ?.files.get(hash);

  /** Returns the same object as long as nothing has changed. */
  add = (stored: SiteContent): SiteContent => {
    const isChanged = [...this.folders].map(([name, folder]) => this.#update(name, folder)).some(Boolean);
    if (!isChanged && this.#made?.stored === stored) return this.#made.content;
    const isOther = ({ remote }: { readonly remote: string }) => !this.#builds.has(remote);
    const builds = [...this.#builds];
    const content = {
      rows: [...stored.rows.filter(isOther), ...builds.map(([remote, [newest]]) => stateOf(remote, newest))],
      releases: [
        ...stored.releases.filter(isOther),
        ...builds.flatMap(([remote, both]) => both.map((build) => releaseOf(remote, build))),
      ],
    };
    this.#made = { stored, content };
    return content;
  };

  #update(name: string, folder: string): boolean {
    const file = path.join(folder, releaseFileName);
    const { mtimeMs: seen = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    const former = this.#builds.get(name)?.[0];
    if (seen === 0 || seen === former?.seen) return false;
    try {
      const manifest = readFileSync(file, 'utf8');
      const release = readManifest(manifest, name);
      const files = readFiles(folder, release);
      // The next build is replacing them.
      if (!files) return false;
      const isOther = former && former.release.version !== release.version;
      this.#builds.set(name, [{ seen, manifest, release, files }, ...(isOther ? [former] : [])]);
      return true;
    } catch (error) {
      this.#report(`${name}: ${(error as Error).message}`);
      return false;
    }
  }
}

function readFiles(folder: string, release: Release): ReadonlyMap<string, Buffer> | undefined {
  const files = new Map<string, Buffer>();
  for (const [name, { integrity }] of Object.entries(release.files)) {
    const place = path.join(folder, name);
    const content = existsSync(place) ? readFileSync(place) : undefined;
    if (!content || integrityOf(content) !== integrity) return undefined;
    files.set(hashOf(integrity), content);
  }
  return files;
}

const releaseOf = (remote: string, { release, manifest, seen }: Build) => ({
  ...{ remote, version: release.version, manifest },
  storedAt: new Date(seen).toISOString(),
});

const stateOf = (remote: string, { seen, release }: Build): State => ({
  ...{
    remote,
    number: Math.max(1, Math.floor(seen)),
    action: 'publish',
    active: release.version,
    canary: null,
    percent: null,
  },
  ...{ heldBy: null, heldByOperator: false, by: 'build', why: '', at: new Date(seen).toISOString() },
});
