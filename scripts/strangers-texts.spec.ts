import { type ApiCall, apiCalls, signupEmailOf, waitlistEntryIdSchema } from '@daybook/contract/api';
import { oneLine } from '@daybook/contract/manifest';
import { pageReportSchema } from '@daybook/contract/page';
import { filePathSchema, redirectOf, releaseNameSchema, releaseRouteSchema } from '@daybook/contract/release';
import { bearerTokenOf, errorResponseOf, networkOf } from '@daybook/server';
import { expect, test } from '@jest/globals';
import { parseWebUrl } from '../mf-offers/src/new-tab.ts';
import { readVisitor } from '../mf-offers/src/visitor.ts';
import { withoutEmails } from '../packages/server/src/logging.ts';
import { canonicalUrl } from '../packages/server/src/request-url.ts';
import { decodableUrl, isOfApi } from '../shell/server/error-responses.ts';
import { escapeHtml } from '../shell/server/html.ts';
import { isFresh } from '../shell/server/pages/cache-headers.ts';

/** Returns a text of a length in bytes. */
type Fill = (length: number) => string;
type Fills = Readonly<Record<string, Fill>>;

const repeat =
  (part: string, before = '', after = ''): Fill =>
  (length) => {
    const room = Math.max(0, length - Buffer.byteLength(before + after));
    return before + part.repeat(Math.floor(room / Buffer.byteLength(part))) + after;
  };

const words = 'a@ @a. a. .a a- a/ 1. a, a; a=b; W/"a", a;q=0.1, 1.1.1.1, 0-1, %41 %25 %2f ../ a[ 1_ <a <!-- /* url(';

/** Texts in which a list or a pattern can begin or end anywhere; in ASCII, as headers and addresses need. */
const worstRuns: Fills = {
  ...Object.fromEntries([...'a 0/\\.,;:=&?%@-+"<([_*~|\t\n', ...words.split(' ')].map((part) => [part, repeat(part)])),
  'spaces inside': repeat(' ', 'a', 'a'),
  'spaces after a comma': repeat(' ', ',', 'a'),
};

/** Texts that are nearly an address, a time or a name. */
const worstValues: Fills = {
  letters: repeat('a'),
  spaces: repeat(' ', 'a', 'a'),
  digits: repeat('9', '2026-01-02T03:04:05.', 'Z'),
  'a long local part': repeat('a.', '', 'a@b.co'),
  'a long domain': repeat('a.', 'a@', 'a'),
  'an encoded label': repeat('a', 'a@xn--', '.com'),
  'encoded labels': repeat('xn--a.', 'a@', 'com'),
  'unseen characters inside': repeat('\u200b', 'a', 'b'),
  'marks in the wrong order': repeat('\u0316\u0301', 'a@b'),
  'characters that normalize to 18': repeat('\ufdfa', 'a@'),
  'full-width letters': repeat('ａ', 'a@', '.com'),
  'halves of pairs': repeat('\ud800'),
};

/** Processor time of this thread in ms; other processes and a busy machine do not count. */
function threadTime(): number {
  // Linux accounts for the running thread at ticks of some milliseconds, and when somebody asks for the whole process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Whether this takes less than 40 ms in one of five rounds; a quadratic parser takes seconds. */
function isFast(run: () => unknown): boolean {
  for (let round = 0; round < 5; round += 1) {
    const before = threadTime();
    run();
    if (threadTime() - before < 40) return true;
  }
  return false;
}

const raw = { httpVersion: '1.1', rawHeaders: [] };
const check = (changes: object) =>
  errorResponseOf({ method: 'POST', url: '/api', host: 'a.example', headers: {}, raw, ...changes });

/** Returns a body whose fields are all this text, and those of a privacy request, too. */
function bodyOf(text: string): object {
  const named = { kind: 'privacy-rights-request', fields: new Proxy({}, { get: () => text }) };
  return new Proxy(named, { get: (_, field) => Reflect.get(named, field) ?? text });
}

const bodies = Object.fromEntries(
  Object.entries<ApiCall>(apiCalls).flatMap(([name, { body }]) =>
    body ? [[`the body of ${name}`, (text: string) => body.safeParse(bodyOf(text))]] : [],
  ),
);

/** What reads strangers' texts in servers and browsers, with the function that reads one. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'the email of a signup': signupEmailOf,
  ...bodies,
  'the id of an entry': (text) => waitlistEntryIdSchema.safeParse(text),

  'the client of a forwarding header': networkOf,
  'the URL of a request': (text) => decodableUrl(canonicalUrl({ url: text })),
  'the path of a call': isOfApi,
  'the host of a request': (text) => check({ host: text, headers: { host: text, origin: 'https://a.example' } }),
  'the origin of a request': (text) => check({ headers: { host: 'a.example', origin: text, 'sec-fetch-site': text } }),
  'a bearer token': (text) => bearerTokenOf(`Bearer ${text}`),
  'an entity tag': (text) => isFresh({ headers: { 'if-none-match': text, 'cache-control': text } } as never, '"a"'),
  'a line of the log': withoutEmails,
  'a line of an error message': (text) => oneLine(text),
  'a release that is activated': (text) => releaseNameSchema.safeParse(text),
  'a text in HTML': escapeHtml,
  "a page's report": (text) => pageReportSchema.safeParse({ remote: text, version: text, route: text, kind: text }),
  'the former path of a page': (text) => redirectOf({ remotes: [] }, text),
  'a path in a release': (text) => filePathSchema.safeParse(text),
  'a route of a release': (text) => releaseRouteSchema.safeParse({ path: text, title: text, fragment: text }),
  'the visitor in an address': (text) => readVisitor(new URLSearchParams({ id: text, email: text })),
  'the target of a redirect': parseWebUrl,
};

/** In bytes: a body's, and a field's, above whose limit nothing is read. */
const lengths = [250, 32_000];
test.each(Object.entries(parsers))('%s takes at most linear time', (_name, parse) => {
  for (const [name, fill] of Object.entries({ ...worstRuns, ...worstValues }))
    for (const length of lengths) {
      const text = fill(length);
      expect([name, isFast(() => parse(text))]).toEqual([name, true]);
    }
});
