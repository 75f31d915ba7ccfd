/** Requests one after the other, a few at a time, until it is stopped; what was no success is kept. */
export class PlainLoad {
  readonly failures: string[] = [];
  requests = 0;
  readonly #site: string;
  #stopped = false;
  readonly #workers: readonly Promise<void>[];

  /** @param site the site's address, without a slash at the end */
  constructor(site: string, paths: readonly string[], atATime = 3) {
    this.#site = site;
    this.#workers = Array.from({ length: atATime }, async (_, worker) => {
      for (let turn = worker; !this.#stopped; turn += 1) await this.#request(paths[turn % paths.length] ?? '/');
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
  }

  async #request(address: string): Promise<void> {
    this.requests += 1;
    try {
      const answer = await fetch(this.#site + address);
      const html = await answer.text();
      if (!answer.ok) this.failures.push(`${address}: ${answer.status}`);
      // As a browser does: the files that the page names must be there when it asks for them.
      for (const [, entry] of html.matchAll(/"entry":"([^"]+)"/g)) {
        const file = await fetch(this.#site + entry);
        await file.arrayBuffer();
        if (!file.ok) this.failures.push(`${entry}: ${file.status}`);
      }
    } catch (error) {
      this.failures.push(`${address}: ${error}`);
    }
  }
}
