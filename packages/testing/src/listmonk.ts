import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type SubscriptionStatus = 'unconfirmed' | 'confirmed' | 'unsubscribed';

export interface Subscriber {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  status: 'enabled' | 'blocklisted';
  attribs: Readonly<Record<string, unknown>>;
  /** Status by the list's id. */
  readonly lists: Map<number, SubscriptionStatus>;
}

const failure = (status: number) => Object.assign(new Error(`listmonk's message of status ${status}`), { status });

const readEmail = (query: string) => {
  const [, quoted] = /^LOWER\(subscribers\.email\) = '((?:[^']|'')*)'$/.exec(query) ?? [];
  if (quoted === undefined) throw failure(400);
  return quoted.replaceAll("''", "'");
};

/**
 * Stands in for listmonk 6.2: the calls of its apis/subscribers.md, and the statuses and mails of its code. All lists are
 * double opt-in.
 */
export class FakeListmonk {
  url = '';
  readonly token = 'api:0123456789abcdef';
  readonly subscribers: Subscriber[] = [];
  /** Emails that were asked to confirm, one for each mail. */
  readonly asked: string[] = [];
  readonly calls: string[] = [];
  /** Returns the status with which a call fails, `no answer`, or nothing. */
  fails: (call: string) => number | 'no answer' | undefined = () => undefined;

  private readonly server = createServer(async (request, response) => {
    const content = await text(request);
    const url = new URL(request.url ?? '', this.url);
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    try {
      const status = this.fails(call);
      if (status === 'no answer') return;
      if (status) throw failure(status);
      if (request.headers.authorization !== `token ${this.token}`) throw failure(403);
      const isJson = request.headers['content-type'] === 'application/json';
      const body = content && isJson ? JSON.parse(content) : {};
      respond(response, 200, { data: this.answer(call, url.searchParams.get('query') ?? '', body) });
    } catch (error) {
      const { status = 500, message } = error as ReturnType<typeof failure>;
      respond(response, status, { message });
    }
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Forgets everything, and works again. */
  reset() {
    for (const each of [this.subscribers, this.asked, this.calls]) each.length = 0;
    this.fails = () => undefined;
  }

  find = (email: string) => this.subscribers.find((each) => each.email === email.toLowerCase());

  add(email: string, subscriber: Partial<Subscriber> = {}): Subscriber {
    const added: Subscriber = {
      id: Math.max(0, ...this.subscribers.map(({ id }) => id)) + 1,
      email: email.toLowerCase(),
      name: '',
      created_at: new Date().toISOString(),
      status: 'enabled',
      attribs: {},
      lists: new Map(),
      ...subscriber,
    };
    this.subscribers.push(added);
    return added;
  }

  private answer(call: string, query: string, body: ReturnType<typeof JSON.parse>): unknown {
    const [, method, path = '', id, action] =
      /^(\w+) \/api\/(subscribers(?:\/lists)?)(?:\/(\d+)(\/optin)?)?$/.exec(call) ?? [];
    const named = this.subscribers.find((each) => each.id === Number(id));
    switch (`${method} ${path}${id ? '/id' : ''}${action ?? ''}`) {
      case 'GET subscribers': {
        const found = this.find(readEmail(query));
        return { results: found ? [view(found)] : [] };
      }
      case 'POST subscribers': {
        if (!/^[^@\s]+@[^@\s]+$/.test(body.email)) throw failure(400);
        if (this.find(body.email)) throw failure(409);
        const lists = new Map<number, SubscriptionStatus>(
          (body.lists ?? []).map((list: number) => [list, body.preconfirm_subscriptions ? 'confirmed' : 'unconfirmed']),
        );
        const { name, status, attribs = {} } = body;
        const added = this.add(body.email, { name, status, attribs, lists });
        this.ask(added);
        return view(added);
      }
      case 'PUT subscribers/lists': {
        if (!body.ids?.length || !body.target_list_ids?.every(Number.isInteger)) throw failure(400);
        for (const { lists } of this.subscribers.filter((each) => body.ids.includes(each.id)))
          for (const list of body.target_list_ids)
            if (body.action === 'add') lists.set(list, body.status);
            else if (body.action === 'remove') lists.delete(list);
            else if (body.action === 'unsubscribe' && lists.has(list)) lists.set(list, 'unsubscribed');
        return true;
      }
      case 'PATCH subscribers/id':
        if (!named) throw failure(400);
        named.attribs = { ...named.attribs, ...body.attribs };
        // Any change mails those who have not confirmed (knadh/listmonk #2834).
        if (!body.preconfirm_subscriptions) this.ask(named);
        return view(named);
      case 'POST subscribers/id/optin':
        if (!named) throw failure(400);
        this.ask(named);
        return true;
      case 'DELETE subscribers/id':
        if (named) this.subscribers.splice(this.subscribers.indexOf(named), 1);
        return true;
      default:
        throw failure(404);
    }
  }

  private ask({ email, lists }: Subscriber) {
    if ([...lists.values()].includes('unconfirmed')) this.asked.push(email);
  }
}

const view = ({ lists, ...subscriber }: Subscriber) => ({
  ...subscriber,
  lists: Array.from(lists, ([id, status]) => ({ id, subscription_status: status })),
});

const respond = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
