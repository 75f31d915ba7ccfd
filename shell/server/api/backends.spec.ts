import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../test/eventually.ts';
import { registerApi } from './api-proxy.ts';
import { Backends } from './backends.ts';

/** A backend at an address of the loopback network. */
class LocalBackend {
  readonly hosts: string[] = [];
  isReady = true;
  requests = 0;
  readonly address: string;
  #server: Server | undefined;

  constructor(address: string) {
    this.address = address;
  }

  async start(): Promise<this> {
    this.#server = createServer((request, response) => this.#respond(request, response));
    await once(this.#server.listen(port, this.address), 'listening');
    port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Ends like a killed process: connections break, and no more are accepted. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  #respond({ url, headers }: IncomingMessage, response: ServerResponse): void {
    this.hosts.push(headers.host ?? '');
    if (url !== '/readyz') this.requests += 1;
    response.writeHead(url === '/readyz' && !this.isReady ? 503 : 200).end('{}');
  }
}

/**
 * A backend on a machine that can be gone: its connections stay open without a response, and no connect succeeds. In a
 * thread that sleeps, with a full queue of connections.
 */
class UnreachableBackend {
  readonly port: number;
  readonly #thread: Worker;
  readonly #fillers: Socket[] = [];

  private constructor(thread: Worker, port: number) {
    this.#thread = thread;
    this.port = port;
  }

  static async start(): Promise<UnreachableBackend> {
    const script = `
      const { parentPort } = require('node:worker_threads');
      const server = require('node:http').createServer((request, response) => response.end('{}'));
      server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => parentPort.postMessage(server.address().port));
      parentPort.once('message', (sleeping) => Atomics.wait(sleeping, 0, 0));
    `;
    const thread = new Worker(script, { eval: true });
    const [port] = await once(thread, 'message');
    return new UnreachableBackend(thread, port);
  }

  async freeze(): Promise<void> {
    this.#thread.postMessage(new Int32Array(new SharedArrayBuffer(4)));
    // Connects until the queue is full.
    for (;;) {
      const socket = connect(this.port, '127.0.0.1');
      this.#fillers.push(socket);
      const connected = once(socket, 'connect', { signal: AbortSignal.timeout(500) });
      if (
        !(await connected.then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#fillers) socket.destroy();
    await this.#thread.terminate();
  }
}

/** The port of all backends, as with the addresses of one name. */
let port: number;
let all: LocalBackend[];
let found: LocalBackend[];
let changes: string[];
let lookups: number;
let backends: Backends;
let shell: FastifyInstance;
let site: string;

/** Like a name server. */
async function lookup(name: string) {
  lookups += 1;
  if (name !== 'backend' || found.length === 0) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return found.map(({ address }) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

beforeEach(async () => {
  port = 0;
  all = [];
  for (const last of [1, 2, 3]) all.push(await new LocalBackend(`127.0.0.${last}`).start());
  found = [...all];
  changes = [];
  lookups = 0;
  backends = new Backends([`http://backend:${port}`], (change) => changes.push(change), lookup);
  shell = Fastify();
  await registerApi(shell, backends);
  site = await shell.listen({ host: '127.0.0.1', port: 0 });
  backends.watch();
  await eventually(() => expect(backends.states()).toHaveLength(3));
});
afterEach(async () => {
  backends.stop();
  await shell.close();
  for (const backend of all) await backend.kill();
});

const [one, two, three] = [0, 1, 2].map((place) => () => all[place] as LocalBackend) as [
  () => LocalBackend,
  () => LocalBackend,
  () => LocalBackend,
];
const signUp = async () => (await fetch(`${site}/api/waitlist`, { method: 'POST' })).status;
const signUps = async (count: number) => {
  for (const backend of all) backend.requests = 0;
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += 1) statuses.add(await signUp());
  return { statuses: [...statuses], requests: all.map(({ requests }) => requests) };
};
const twoLookups = () => {
  const since = lookups;
  return eventually(() => expect(lookups).toBeGreaterThan(since + 1));
};
const untilReady = (...expected: readonly LocalBackend[]) =>
  eventually(() => {
    const ready = backends.states().filter(({ isReady }) => isReady);
    expect(ready.map(({ origin }) => origin)).toEqual(expected.map(({ address }) => `http://${address}:${port}`));
  });

describe('a name with several addresses', () => {
  test('gets its requests in turn, over the same connections', async () => {
    expect(await signUps(30)).toEqual({ statuses: [200], requests: [10, 10, 10] });
  });

  test('stays the Host header of requests and polls', async () => {
    await signUps(3);
    expect(new Set(all.flatMap(({ hosts }) => hosts))).toEqual(new Set([`backend:${port}`]));
  });

  test('spreads the requests of a backend that is not ready evenly over the others', async () => {
    two().isReady = false;
    await untilReady(one(), three());
    expect(await signUps(20)).toEqual({ statuses: [200], requests: [10, 0, 10] });
  });

  test('loses no request when one is killed, and uses it again after its restart', async () => {
    await two().kill();
    expect(await signUps(30)).toMatchObject({ statuses: [200] });
    await untilReady(one(), three());
    await two().start();
    await untilReady(one(), two(), three());
    expect(await signUps(30)).toEqual({ statuses: [200], requests: [10, 10, 10] });
    expect(changes).toEqual([
      `The backend at http://127.0.0.2:${port} is not ready.`,
      `The backend at http://127.0.0.2:${port} is ready.`,
    ]);
  });

  test('sends requests to an added address once it is ready', async () => {
    found = [one()];
    await eventually(() => expect(backends.states()).toHaveLength(1));
    two().isReady = false;
    found = [one(), two()];
    await eventually(() => expect(backends.states()).toHaveLength(2));
    expect(await signUps(6)).toEqual({ statuses: [200], requests: [6, 0, 0] });
    two().isReady = true;
    await untilReady(one(), two());
    expect(await signUps(6)).toEqual({ statuses: [200], requests: [3, 3, 0] });
  });

  test('sends no requests to a removed address, and stops polling it once it is not ready', async () => {
    found = [one(), two()];
    await untilReady(one(), two());
    expect(await signUps(6)).toEqual({ statuses: [200], requests: [3, 3, 0] });
    three().isReady = false;
    await twoLookups();
    await twoLookups();
    const polls = three().hosts.length;
    await twoLookups();
    expect(three().hosts.length).toBe(polls);
  });

  test('polls an address that comes and goes no more often than the others', async () => {
    for (const addresses of [[one()], [one(), two()], [one()], [one(), two()]]) {
      found = addresses;
      await twoLookups();
    }
    const before = [one(), two()].map(({ hosts }) => hosts.length);
    await twoLookups();
    await twoLookups();
    const [polls = 0, pollsOfTwo = 0] = [one(), two()].map(({ hosts }, index) => hosts.length - (before[index] ?? 0));
    expect(pollsOfTwo).toBeLessThan(2 * polls);
    await untilReady(one(), two());
  });

  test('retains its last addresses while it cannot be resolved', async () => {
    found = [];
    await twoLookups();
    await untilReady(one(), two(), three());
    expect(await signUps(6)).toEqual({ statuses: [200], requests: [2, 2, 2] });
  });

  test('is found again under a new address, as after a restart of its container', async () => {
    found = [one()];
    await untilReady(one());
    await one().kill();
    await untilReady();
    expect(await signUp()).toBe(503);
    found = [two()];
    await untilReady(two());
    expect(await signUps(4)).toEqual({ statuses: [200], requests: [0, 4, 0] });
  });
});

test('ends requests and connects to a backend whose machine is gone', async () => {
  const gone = await UnreachableBackend.start();
  const other = new Backends([`http://127.0.0.1:${gone.port}`], () => undefined);
  const proxy = Fastify();
  await registerApi(proxy, other);
  const address = await proxy.listen({ host: '127.0.0.1', port: 0 });
  const signUpThere = async () => (await fetch(`${address}/api/waitlist`, { method: 'POST' })).status;
  expect(await signUpThere()).toBe(200);
  await gone.freeze();
  // Over the connection of before, and over new ones.
  const requests = Promise.all([signUpThere(), signUpThere(), signUpThere()]);
  other.watch();
  // Sooner than the 15 seconds of a request's timeout.
  expect(await requests).toEqual([503, 503, 503]);
  other.stop();
  await proxy.close();
  await gone.stop();
}, 12_000);

test('addresses of both families count as one backend each', async () => {
  const both = async () => [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  const local = new Backends([`http://localhost:${port}`], () => undefined, both);
  local.watch();
  await eventually(() => expect(local.states()).toEqual([{ origin: `http://127.0.0.1:${port}`, isReady: true }]));
  local.stop();
});

test('an IPv6 address is written in brackets', async () => {
  const local = new Backends(
    ['http://backend'],
    () => undefined,
    async () => [{ address: 'fd00::7', family: 6 }],
  );
  local.watch();
  await eventually(() => expect(local.states()).toMatchObject([{ origin: 'http://[fd00::7]' }]));
  expect(local.inTurn()).toEqual([{ origin: 'http://[fd00::7]', host: 'backend' }]);
  local.stop();
});

test.each(['https://backend.internal', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  '%s is not resolved',
  async (origin) => {
    const since = lookups;
    const local = new Backends([origin], () => undefined, lookup);
    local.watch();
    expect(local.inTurn()).toEqual([{ origin, host: new URL(origin).host }]);
    expect(lookups).toBe(since);
    local.stop();
  },
);
