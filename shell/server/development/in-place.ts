import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashOf, readManifest } from '@daybook/contract/manifest';
import { type Release, releaseFileName, type State } from '@daybook/contract/release';
import type { SiteContent } from '../releases/site.ts';

interface Build {
  readonly seen: number;
  readonly release: Release;
  readonly manifest: string;
  readonly storedAt: string;
}

/** Serves the builds in folders in place of releases, for `npm run dev`. A broken build leaves the last good one. */
export class InPlaceBuilds {
  readonly folders: ReadonlyMap<string, string>;
  readonly #report: (problem: string) => void;
  readonly #builds = new Map<string, Build>();
  #files = new Map<string, string>();
  #made: { readonly stored: SiteContent; readonly content: SiteContent } | undefined;

  /** @param folders by the name of the remote */
  constructor(folders: ReadonlyMap<string, string>, report: (problem: string) => void) {
    this.folders = folders;
    this.#report = report;
  }

  /** Returns the file with a content. */
  fileOf = (hash: string): string | undefined => this.#files.get(hash);

  /** Adds the builds to what is stored; returns the same object as long as nothing has changed. */
  add = (stored: SiteContent): SiteContent => {
    const isChanged = [...this.folders].map(([name, folder]) => this.#update(name, folder)).some(Boolean);
    if (!isChanged && this.#made?.stored === stored) return this.#made.content;
    const isOther = ({ remote }: { readonly remote: string }) => !this.#builds.has(remote);
    const builds = [...this.#builds.entries()];
    const content = {
      rows: [...stored.rows.filter(isOther), ...builds.map(([remote, build]) => stateOf(remote, build))],
      releases: [
        ...stored.releases.filter(isOther),
        ...builds.map(
          ([
            remote,
            {
              release: { version },
              manifest,
              storedAt,
            },
          ]) => ({ remote, version, manifest, storedAt }),
        ),
      ],
    };
    this.#made = { stored, content };
    return content;
  };

  /** Reads a build if it is another one; returns whether it is. */
  #update(name: string, folder: string): boolean {
    const file = path.join(folder, releaseFileName);
    const { mtimeMs: seen = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (seen === 0 || seen === this.#builds.get(name)?.seen) return false;
    try {
      const manifest = readFileSync(file, 'utf8');
      const release = readManifest(manifest, name);
      this.#builds.set(name, { seen, manifest, release, storedAt: new Date(seen).toISOString() });
      for (const [each, { integrity }] of Object.entries(release.files))
        this.#files.set(hashOf(integrity), path.join(folder, each));
      return true;
    } catch (error) {
      this.#report(`${name}: ${(error as Error).message}`);
      return false;
    }
  }
}

const stateOf = (remote: string, { seen, release, storedAt }: Build): State => ({
  ...{
    remote,
    number: Math.max(1, Math.floor(seen)),
    action: 'publish',
    active: release.version,
    canary: null,
    percent: null,
  },
  ...{ heldBy: null, heldByOperator: false, by: 'build', why: '', at: storedAt },
});
