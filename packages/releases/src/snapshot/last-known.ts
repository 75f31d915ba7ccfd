import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ListedRelease, StoredManifest } from '../registry/release-registry.ts';
import type { Deployment } from '../registry/remote-state.ts';
import { added, keyOf, nothingStored, type RegistryContent, storedRelease } from './registry-content.ts';

interface LastKnown {
  readonly deployments: readonly Deployment[];
  readonly releases: readonly (ListedRelease & StoredManifest)[];
}

/** The last known content of the registry, in a file of this server, for a start while the registry can't be used. */
export class LastKnownFile {
  readonly #file: string;
  readonly #report: (problem: string) => void;
  #reported: string | undefined;

  constructor(folder: string, report: (problem: string) => void) {
    this.#file = path.join(folder, 'last-known.json');
    this.#report = report;
  }

  /** Returns nothing if the file is missing or damaged: the registry has it all. */
  read(): RegistryContent {
    try {
      const { deployments, releases } = JSON.parse(readFileSync(this.#file, 'utf8')) as LastKnown;
      const stored = releases.map((each) => [keyOf(each), storedRelease(each, each)] as const);
      return added(nothingStored, { deployments }, new Map(stored));
    } catch {
      return nothingStored;
    }
  }

  /** Never fails: reports each problem once. */
  write({ deployments, releases }: RegistryContent): void {
    const listed = [...releases.values()].map(({ remote, version, storedAt, manifest, pages }) => ({
      ...{ remote, version, storedAt, manifest, pages },
    }));
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.tmp`, JSON.stringify({ deployments, releases: listed } satisfies LastKnown));
      renameSync(`${this.#file}.tmp`, this.#file);
      this.#reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#report(`The last known releases can't be stored: ${message}`);
      this.#reported = message;
    }
  }
}
