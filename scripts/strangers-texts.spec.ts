import { emergencyNoticeSchema, informationSchema, signupEmailOf, waitlistEntryIdSchema } from '@daybook/contract/api';
import { oneLine } from '@daybook/contract/manifest';
import { pageReportSchema } from '@daybook/contract/page';
import { filePathSchema, redirectOf, releaseNameSchema, releaseRouteSchema } from '@daybook/contract/release';
import { bearerTokenOf, errorResponseOf, networkOf } from '@daybook/server';
import { fastest } from '@daybook/testing/processor-time';
import { worstRuns, worstValues } from '@daybook/testing/worst-texts';
import { expect, test } from '@jest/globals';
import { parseWebUrl } from '../mf-offers/src/new-tab.ts';
import { readVisitor } from '../mf-offers/src/visitor.ts';
import { withoutEmails } from '../packages/server/src/logging.ts';
import { canonicalUrl } from '../packages/server/src/request-url.ts';
import { decodableUrl, isOfApi } from '../shell/server/error-responses.ts';
import { escapeHtml } from '../shell/server/html.ts';
import { isFresh } from '../shell/server/pages/cache-headers.ts';

const raw = { httpVersion: '1.1', rawHeaders: [] };
const check = (changes: object) =>
  errorResponseOf({ method: 'POST', url: '/api', host: 'a.example', headers: {}, raw, ...changes });

/** What reads strangers' texts in servers and browsers, with the function that reads one. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'the email of a signup': signupEmailOf,
  'an emergency notice': (text) => emergencyNoticeSchema.safeParse({ email: 'a@b.co', source: text, timestamp: text }),
  'names and ZIP code': (text) => informationSchema.safeParse({ firstName: text, lastName: text, zipCode: text }),
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

/** In ms: whatever takes less is fast enough, however it grows. */
const negligible = 3;

/** Doubled, a linear parser takes twice as long, a quadratic one four times. */
const maxGrowth = 3;

const maxRounds = 25;

/** In bytes: from a field's to a body's. The smallest fit the limits of fields, above which nothing is read. */
const lengths = [125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/**
 * Returns what a parser takes for a text if that grows faster than linearly from one of half its length; in ms. Measured
 * again a few times before it counts: other work on the machine slows down whole rounds, and both lengths then alike.
 */
async function tooLong(parse: (text: string) => unknown, fill: (length: number) => string, length: number) {
  const [half, whole] = [fill(length / 2), fill(length)];
  let time = 0;
  for (let repeat = 0; repeat < 4; repeat += 1) {
    const before = Math.max(
      await fastest(() => parse(half), negligible / maxGrowth, maxRounds),
      negligible / maxGrowth,
    );
    time = await fastest(() => parse(whole), maxGrowth * before, maxRounds);
    if (time <= maxGrowth * before) return undefined;
  }
  return time;
}

test.each(Object.entries(parsers))('%s takes at most linear time', async (_name, parse) => {
  const found: string[] = [];
  for (const [name, fill] of Object.entries({ ...worstRuns, ...worstValues }))
    for (const length of lengths) {
      const time = await tooLong(parse, fill, length);
      if (time !== undefined) found.push(`${name}: ${time} ms for ${length} bytes`);
    }
  expect(found).toEqual([]);
});
