import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  test('sends no requests to a removed address, and stops polling it', async () => {
    found = [one(), two()];
    await untilReady(one(), two());
    expect(await signUps(6)).toEqual({ statuses: [200], requests: [3, 3, 0] });
    await twoLookups();
    const polls = three().hosts.length;
    await twoLookups();
    expect(three().hosts.length).toBe(polls);
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
