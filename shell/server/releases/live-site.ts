import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type State, stateSchema } from '@daybook/contract/release';
import * as z from 'zod';
import type { Blobs } from './blobs.ts';
import { Site, type SiteContent } from './site.ts';
import type { Store } from './store.ts';

/** In ms. */
const pollInterval = 500;

/** In ms: then a starting server serves what it has. */
const startTimeout = 5_000;

/** In ms: for a request of an unknown file. */
const catchUpTimeout = 2_000;
const catchUpInterval = 50;

const parallel = 4;

const contentSchema = z.object({
  rows: z.array(stateSchema),
  releases: z.array(z.object({ remote: z.string(), version: z.string(), manifest: z.string(), storedAt: z.string() })),
});

const isSame = (one: State | undefined, other: State | undefined) =>
  one?.number === other?.number && one?.at === other?.at;

interface LiveSiteOptions {
  readonly store: Pick<Store, 'read'> | undefined;
  readonly blobs: Blobs;
  readonly folder: string;
  readonly remotes: () => readonly string[];
  readonly inPlace?: (content: SiteContent) => SiteContent;
  readonly report: (problem: string) => void;
  readonly onRecovery: (message: string) => void;
}

/** Follows the database. A change is served once all of its files are here. */
export class LiveSite {
  /** What visitors get here. */
  site: Site;
  /** What the database has; its files may be missing here. */
  latest: Site;
  /** Since when the database can't be read; ISO 8601. */
  problem: { readonly message: string; readonly since: string } | undefined;
  hasRead = false;
  readonly #options: LiveSiteOptions;
  readonly #file: string;
  readonly #stopped = new AbortController();
  #stored: SiteContent = { rows: [], releases: [] };
  #served: readonly State[] = [];
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #polling: Promise<void> = Promise.resolve();
  readonly #fetching = new Map<string, { readonly state: State | undefined; readonly done: Promise<void> }>();
  #prefetching: Promise<void> = Promise.resolve();
  #failed = '';
  #catchingUp: Promise<void> | undefined;
  #caughtUpAt = 0;

  constructor(options: LiveSiteOptions) {
    this.#options = options;
    this.#file = path.join(options.folder, 'site.json');
    this.latest = Site.from(this.#stored, options.remotes());
    this.site = this.latest;
  }

  /** Resolves when the releases are here, or after a timeout. */
  async start(): Promise<void> {
    // Left by a former process.
    await this.#options.blobs.prune((name) => !name.endsWith('.new'));
    const last = await readFile(this.#file, 'utf8')
      .then((text) => contentSchema.parse(JSON.parse(text)))
      .catch(() => undefined);
    this.#take(last ?? this.#stored);
    const begun = this.#fetched().then(() => this.refresh().catch(() => undefined));
    await Promise.race([begun, delay(startTimeout, undefined, { ref: false })]);
    this.#polling = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#polling, this.#reading, this.#fetched(), this.#prefetching]);
  }

  /** Resolves when `latest` is what was in the database at the time of the call. @throws StoreError */
  read(): Promise<void> {
    // A read in progress may have missed what the caller knows of.
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      const read = this.#readOnce();
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#next;
  }

  /** Resolves when the files of these remotes are here or can't be fetched. @throws StoreError */
  async refresh(names?: readonly string[]): Promise<void> {
    await this.read();
    await this.#fetched(names);
  }

  /** For a request of something that another server may have just stored. */
  async catchUp(): Promise<void> {
    if (this.problem) return;
    this.#catchingUp ??= this.#catchUp();
    await this.#catchingUp;
  }

  async #catchUp(): Promise<void> {
    await delay(Math.max(0, this.#caughtUpAt + catchUpInterval - performance.now()), undefined, { ref: false });
    this.#catchingUp = undefined;
    this.#caughtUpAt = performance.now();
    await Promise.race([this.read().catch(() => undefined), delay(catchUpTimeout, undefined, { ref: false })]);
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.read().catch(() => undefined);
      await delay(pollInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #readOnce(): Promise<void> {
    const { store, report, onRecovery } = this.#options;
    try {
      const content = store ? await store.read(this.#stored.releases) : this.#stored;
      if (this.problem) onRecovery(`Releases can be read again; they could not since ${this.problem.since}.`);
      this.problem = undefined;
      this.hasRead = true;
      const isNew = content !== this.#stored;
      this.#take(content);
      if (isNew) await this.#write(content);
    } catch (error) {
      const { message } = error as Error;
      if (!this.problem) report(message);
      this.problem = { message, since: this.problem?.since ?? new Date().toISOString() };
      // The names of the remotes may have changed.
      this.#take(this.#stored);
      throw error;
    }
  }

  /** No remote waits for the files of another one. */
  #take(stored: SiteContent): void {
    const { remotes, inPlace, blobs } = this.#options;
    const content = inPlace?.(stored) ?? stored;
    const names = remotes();
    this.#stored = stored;
    if (content !== this.latest.content || names.join() !== this.latest.remotes.map(({ name }) => name).join()) {
      this.latest = Site.from(content, names);
      this.#show();
      if (this.hasRead) void this.#prune(blobs);
    }
    const due = names.filter((name) => {
      const state = this.latest.remote(name)?.state;
      const fetching = this.#fetching.get(name);
      return !isSame(state, this.site.remote(name)?.state) && !(fetching && isSame(state, fetching.state));
    });
    // Rows of one activation have one time.
    for (const group of Map.groupBy(due, (name) => this.latest.remote(name)?.state?.at ?? name).values()) {
      const done = this.#fetch(group).finally(() => {
        for (const name of group) if (this.#fetching.get(name)?.done === done) this.#fetching.delete(name);
      });
      for (const name of group) this.#fetching.set(name, { state: this.latest.remote(name)?.state, done });
    }
  }

  async #prune(blobs: Blobs): Promise<void> {
    const needed = this.latest.allHashes();
    await blobs.prune((name) => needed.has(name) || name.endsWith('.new')).catch(() => undefined);
  }

  async #fetched(names: readonly string[] = [...this.#fetching.keys()]): Promise<void> {
    await Promise.all(names.map((name) => this.#fetching.get(name)?.done));
  }

  async #fetch(names: readonly string[]): Promise<void> {
    const { blobs, report } = this.#options;
    const wanted = names.map((name) => ({ name, rows: this.latest.remote(name)?.rows ?? [] }));
    const isLatest = ({ name, rows }: (typeof wanted)[number]) => isSame(rows.at(-1), this.latest.remote(name)?.state);
    const hashes = new Set(names.flatMap((name) => this.latest.servedHashes(name).active)).values();
    const fetch = async () => {
      for (const hash of hashes) {
        if (!wanted.some(isLatest)) return;
        await blobs.get(hash);
      }
    };
    try {
      await Promise.all(Array.from({ length: parallel }, fetch));
    } catch (error) {
      const message = `Files of ${names.join(' and ')} can't be fetched: ${(error as Error).message}`;
      if (message !== this.#failed && !this.problem) report(message);
      this.#failed = message;
      // Better some missing files than no pages.
      if (names.some((name) => this.site.remote(name)?.state)) return;
    }
    // A later change is fetched by itself.
    const shown = wanted.filter(isLatest);
    const others = this.#served.filter(({ remote }) => !shown.some(({ name }) => name === remote));
    this.#served = [...others, ...shown.flatMap(({ rows }) => rows)];
    if (shown.length > 0) this.#show();
    const previous = shown.flatMap(({ name }) => this.latest.servedHashes(name).previous);
    this.#prefetching = this.#prefetching.then(() => this.#prefetch(previous));
  }

  async #prefetch(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes)
      if (!this.#stopped.signal.aborted) await this.#options.blobs.get(hash).catch(() => undefined);
  }

  /** All stored releases are served: an open page asks for the files of a former one. */
  #show(): void {
    const { releases } = this.latest.content;
    this.site = Site.from({ rows: this.#served, releases }, this.#options.remotes(), this.site);
  }

  async #write(content: SiteContent): Promise<void> {
    const temporary = `${this.#file}.new`;
    try {
      await mkdir(path.dirname(this.#file), { recursive: true });
      await writeFile(temporary, JSON.stringify(content));
      await rename(temporary, this.#file);
    } catch {
      // `Blobs` reports a full disk.
    }
  }
}
