import { lookup as lookUp } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type TcpSocketConnectOpts } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify, types } from 'node:util';

/** How often each backend is polled, and each name resolved, in ms. */
const interval = 1_000;

/** In ms; a backend that exceeds it is not ready. */
const timeout = 3_000;

const withoutBrackets = (hostname: string) => hostname.replace(/[[\]]/g, '');

const agentOptions: http.AgentOptions & Pick<TcpSocketConnectOpts, 'lookup'> = {
  keepAlive: true,
  // The API proxy passes an IPv6 address in brackets, which Node takes for a name.
  lookup: (name, options, callback) => lookUp(withoutBrackets(name), options, callback),
};

/** Errors of a connect that do not show that its target is gone: a server that shuts down, and an unresolved name. */
const answeredConnect = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** One address of a name in `BACKEND_URL`. */
export interface Backend {
  /** Where to connect to. */
  readonly origin: string;
  /** The `Host` header: the name, as if it was not resolved. */
  readonly host: string;
}

/** Returns all addresses of a host name. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const lookUpAll: Lookup = (name) => promisify(lookUp)(name, { all: true });

/**
 * The API's backends, all on one database, and their readiness. Resolves the names in `BACKEND_URL` every second to all
 * their addresses, to spread requests over them: connections to a name are reused, so that a backend that is added to it
 * gets no requests.
 */
export class Backends {
  /** For requests to the backends. */
  readonly agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) };
  readonly #report: (change: string) => void;
  readonly #lookup: Lookup;
  /** The backends of each item of `BACKEND_URL`; until its name is resolved, the item itself. */
  readonly #backends: Map<string, readonly Backend[]>;
  readonly #ready: Set<Backend>;
  /** Those that are polled: also removed ones, which a name may have again later. */
  readonly #watched = new Set<Backend>();
  readonly #stopped = new AbortController();
  #turn = 0;

  /**
   * @param origins the items of `BACKEND_URL`
   * @param report called when a backend becomes not ready, and when it is ready again
   */
  constructor(origins: readonly string[], report: (change: string) => void, lookup = lookUpAll) {
    this.#report = report;
    this.#lookup = lookup;
    this.#backends = new Map(origins.map((origin) => [origin, [{ origin, host: new URL(origin).host }]]));
    // Assumed ready until the first poll.
    this.#ready = new Set(this.#all());
  }

  states(): readonly { readonly origin: string; readonly isReady: boolean }[] {
    return this.#all().map((backend) => ({ origin: backend.origin, isReady: this.#ready.has(backend) }));
  }

  /** Returns the backends in the order to try: the ready ones round-robin, then the others. */
  inTurn(): Backend[] {
    const all = this.#all();
    const ready = all.filter((backend) => this.#ready.has(backend));
    const first = this.#turn++ % (ready.length || 1);
    const others = all.filter((backend) => !this.#ready.has(backend));
    return [...ready.slice(first), ...ready.slice(0, first), ...others];
  }

  /** Marks a backend as not ready until its next successful poll: it gets requests only if no other is ready. */
  setAside(backend: Backend): void {
    this.#set(backend, false);
  }

  /** Resolves all names and polls all backends until `stop()`. */
  watch(): void {
    for (const [origin, backends] of this.#backends) {
      const { protocol, hostname } = new URL(origin);
      // The certificate of an https origin is one of its name.
      if (protocol === 'http:' && isIP(withoutBrackets(hostname)) === 0) void this.#resolve(origin);
      else for (const backend of backends) void this.#watch(backend);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #all(): Backend[] {
    return [...this.#backends.values()].flat();
  }

  /** Follows the addresses of a name. While it cannot be resolved, its last addresses stay. */
  async #resolve(item: string): Promise<void> {
    const { hostname, host } = new URL(item);
    while (!this.#stopped.signal.aborted) {
      const found = await this.#lookup(hostname).catch(() => []);
      // With both families, each backend would be there twice.
      const family = found.some((each) => each.family === 4) ? 4 : 6;
      const origins = found
        .filter((each) => each.family === family)
        .map(
          ({ address }) => Object.assign(new URL(item), { hostname: family === 6 ? `[${address}]` : address }).origin,
        );
      if (origins.length > 0 && !this.#stopped.signal.aborted) this.#replace(item, [...new Set(origins)], host);
      await this.#pause();
    }
  }

  #replace(item: string, origins: readonly string[], host: string): void {
    const former = this.#backends.get(item) ?? [];
    const watched = [...this.#watched].filter((backend) => backend.host === host);
    const current = origins.map((origin) => watched.find((known) => known.origin === origin) ?? { origin, host });
    this.#backends.set(item, current);
    // The first addresses are assumed ready, like the name before; a later one may still be starting.
    const isFirst = former.some(({ origin }) => origin === item);
    for (const backend of former) if (!current.includes(backend)) this.#ready.delete(backend);
    for (const backend of current) {
      if (this.#watched.has(backend)) continue;
      if (isFirst) this.#ready.add(backend);
      void this.#watch(backend);
    }
  }

  /** Polls a backend for as long as it is one, and then until a poll fails: requests to it may still be in progress. */
  async #watch(backend: Backend): Promise<void> {
    const { signal } = this.#stopped;
    const isCurrent = () => this.#all().includes(backend);
    this.#watched.add(backend);
    for (let isReady = true; !signal.aborted && (isReady || isCurrent()); await this.#pause()) {
      isReady = await this.#poll(backend);
      if (!signal.aborted && isCurrent()) this.#set(backend, isReady);
    }
    this.#watched.delete(backend);
  }

  /** Not fetch: it sets the `Host` header itself. Connects anew each time, to detect that a backend is unreachable. */
  #poll(backend: Backend): Promise<boolean> {
    const { origin, host } = backend;
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeout)]);
    const { get } = origin.startsWith('https:') ? https : http;
    let isConnected = false;
    return new Promise((resolve) => {
      get(new URL('/readyz', origin), { headers: { host }, signal, agent: false }, (response) => {
        resolve(response.statusCode === 200);
        response.resume().on('error', () => undefined);
      })
        .on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
        .on('error', ({ code = '' }: NodeJS.ErrnoException) => {
          if (!isConnected && !answeredConnect.has(code) && !this.#stopped.signal.aborted) this.#disconnect(backend);
          resolve(false);
        });
    });
  }

  /**
   * Ends the connections to a backend whose machine or container is gone: nothing closes them, so that requests would
   * wait for their timeout.
   */
  #disconnect({ origin }: Backend): void {
    const { protocol, hostname, port } = new URL(origin);
    const agent = this.agents[protocol as keyof typeof this.agents];
    const name = agent.getName({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    for (const [key, sockets = []] of [...Object.entries(agent.sockets), ...Object.entries(agent.freeSockets)]) {
      if (!key.startsWith(name)) continue;
      for (const socket of sockets) {
        const error = new Error(`The backend at ${origin} is unreachable.`);
        socket.destroy(Object.assign(error, { syscall: socket.connecting ? 'connect' : 'read' }));
      }
    }
  }

  async #pause(): Promise<void> {
    await delay(interval, undefined, { signal: this.#stopped.signal, ref: false }).catch(() => undefined);
  }

  #set(backend: Backend, isReady: boolean): void {
    if (this.#ready.has(backend) === isReady) return;
    if (isReady) this.#ready.add(backend);
    else this.#ready.delete(backend);
    this.#report(`The backend at ${backend.origin} is ${isReady ? 'ready' : 'not ready'}.`);
  }
}

/** System calls of a socket that fail before it is connected. */
const connecting = new Set(['connect', 'getaddrinfo']);

/** Returns whether a request's error rules out that any byte of it arrived. */
export function wasNeverSent(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // A name with several addresses fails with one error for each.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.every(wasNeverSent);
  return 'syscall' in error && connecting.has(String(error.syscall));
}
