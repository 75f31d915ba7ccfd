import { buffer } from 'node:stream/consumers';

/**
 * Files as they are sent, each in memory once at a time, however many requests are answered with it and however slowly
 * their clients read; gone with the last of them.
 */
export class SharedBodies {
  readonly #bodies = new Map<string, WeakRef<Buffer>>();
  readonly #reading = new Map<string, Promise<Buffer>>();

  /**
   * @param key names the content: a file that changes gets another one
   * @param content is read where nobody has it, and let go otherwise
   */
  async take(key: string, content: NodeJS.ReadableStream & { destroy(): unknown }): Promise<Buffer> {
    const held = this.#bodies.get(key)?.deref() ?? this.#reading.get(key);
    if (held) {
      content.destroy();
      return held;
    }
    const reading = buffer(content);
    this.#reading.set(key, reading);
    try {
      const body = await reading;
      this.#bodies.set(key, new WeakRef(body));
      return body;
    } finally {
      this.#reading.delete(key);
      for (const [other, body] of this.#bodies) if (!body.deref()) this.#bodies.delete(other);
    }
  }
}
