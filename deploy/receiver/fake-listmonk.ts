import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Subscriber {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  status: 'enabled' | 'blocklisted';
  attribs: Readonly<Record<string, unknown>>;
  /** Status by the list's id. */
  readonly lists: Map<number, 'unconfirmed' | 'confirmed' | 'unsubscribed'>;
}

const failure = (status: number) => Object.assign(new Error(`listmonk's message of status ${status}`), { status });

const view = ({ lists, ...subscriber }: Subscriber) => ({
  ...subscriber,
  lists: Array.from(lists, ([id, status]) => ({ id, subscription_status: status })),
});

/** Stands in for listmonk 6.2, as its apis/subscribers.md and its code say. All lists are double opt-in. */
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
    const respond = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      const status = this.fails(call);
      if (status === 'no answer') return;
      if (status) throw failure(status);
      if (request.headers.authorization !== `token ${this.token}`) throw failure(403);
      const body = content ? JSON.parse(content) : {};
      respond(200, { data: this.answer(call, url.searchParams.get('query') ?? '', body) });
    } catch (error) {
      const { status = 500, message } = error as ReturnType<typeof failure>;
      respond(status, { message });
    }
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
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
    const id = Math.max(0, ...this.subscribers.map((each) => each.id)) + 1;
    const added: Subscriber = {
      ...{ id, email: email.toLowerCase(), name: '', created_at: new Date().toISOString() },
      ...{ status: 'enabled', attribs: {}, lists: new Map() },
      ...subscriber,
    };
    this.subscribers.push(added);
    return added;
  }

  private answer(call: string, query: string, body: ReturnType<typeof JSON.parse>): unknown {
    const [, id] = /\/(\d+)/.exec(call) ?? [];
    const named = this.subscribers.find((each) => each.id === Number(id));
    switch (call.replace(/\/\d+/, '/id')) {
      case 'GET /api/subscribers': {
        const [, quoted] = /^LOWER\(subscribers\.email\) = '((?:[^']|'')*)'$/.exec(query) ?? [];
        if (quoted === undefined) throw failure(400);
        const found = this.find(quoted.replaceAll("''", "'"));
        return { results: found ? [view(found)] : [] };
      }
      case 'POST /api/subscribers':
        if (!/^[^@\s]+@[^@\s]+$/.test(body.email)) throw failure(400);
        if (this.find(body.email)) throw failure(409);
        return view(this.add(body.email, { name: body.name, status: body.status }));
      case 'PUT /api/subscribers/lists':
        if (!body.ids?.length || body.action !== 'add') throw failure(400);
        for (const { lists } of this.subscribers.filter((each) => body.ids.includes(each.id)))
          for (const list of body.target_list_ids) lists.set(list, body.status);
        return true;
      case 'PATCH /api/subscribers/id':
        if (!named) throw failure(400);
        named.attribs = { ...named.attribs, ...body.attribs };
        // Any change mails those who have not confirmed (knadh/listmonk #2834).
        this.ask(named);
        return view(named);
      case 'POST /api/subscribers/id/optin':
        if (!named) throw failure(400);
        this.ask(named);
        return true;
      case 'DELETE /api/subscribers/id':
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
