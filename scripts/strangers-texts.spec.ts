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

/** In bytes: a body's, and a field's, above whose limit nothing is read. */
const lengths = [250, 32_000];
/** In ms. A quadratic parser takes seconds. */
const enough = 40;

test.each(Object.entries(parsers))('%s takes at most linear time', async (_name, parse) => {
  for (const [name, fill] of Object.entries({ ...worstRuns, ...worstValues }))
    for (const length of lengths) {
      const text = fill(length);
      expect([name, (await fastest(() => parse(text), enough)) < enough]).toEqual([name, true]);
    }
});
