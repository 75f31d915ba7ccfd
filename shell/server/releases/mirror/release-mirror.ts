import { setTimeout as delay } from 'node:timers/promises';
import { type PollOptions, poll } from './poll.ts';
import { RemoteMirror, type RemoteMirrorOptions } from './remote-mirror.ts';

/** A server that has just started serves what it has after this many ms, whether the origins have answered or not. */
const firstLookLimit = 5_000;

/** The mirrors of all remotes; no one waits for another. */
export class ReleaseMirror {
  readonly #mirrors: readonly RemoteMirror[];
  readonly #poll: PollOptions;
  readonly #stopped = new AbortController();
  /** The looks that are under way. */
  readonly #looks = new Set<Promise<boolean>>();

  constructor(remotes: readonly RemoteMirrorOptions[], pollOptions: PollOptions) {
    this.#mirrors = remotes.map((options) => new RemoteMirror(options));
    this.#poll = pollOptions;
  }

  /** Looks at every origin once, then goes on at its interval; resolves when the first look is over, or late. */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const looks = this.#mirrors.map(async (mirror) => {
      await this.#look(mirror);
      poll(() => this.#look(mirror), this.#poll, signal);
    });
    await Promise.race([Promise.all(looks), delay(firstLookLimit, undefined, { ref: false })]);
  }

  /** Ends all looks; resolves when what was half stored is removed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#looks);
  }

  async #look(mirror: RemoteMirror): Promise<boolean> {
    const look = mirror.look(this.#stopped.signal);
    this.#looks.add(look);
    try {
      return await look;
    } finally {
      this.#looks.delete(look);
    }
  }
}
