import { domainToUnicode } from 'node:url';
import {
  emailLike,
  encodedDomains,
  hostileEmails,
  internationalDomains,
  privateHosts,
  privateLocalParts,
  typedDomain,
  wrap,
  wrappings,
} from '@daybook/testing/emails';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isDomain } from './domain.ts';
import { normalizeEmail, typedEmailMaxLength } from './email.ts';
import { emailSchema, invalidEmailMessage, privacyEmailSchema } from './fields.ts';

const messageOf = (schema: typeof emailSchema | typeof privacyEmailSchema, typed: unknown) =>
  schema.safeParse(typed).error?.issues[0]?.message;

/** Hyphens, and letters that hardly anybody can type. */
const leftToServers = /xn--|[-_\u0640\u07fa\u1100-\u11ff\u3031-\u3035\u303b]|[\u20d0-\u20ff\u302e\u302f]/i;

describe('a signup email', () => {
  test.each([
    ['reader@example.com', 'reader@example.com'],
    ['  Reader.Name+tag@EXAMPLE.Com ', 'Reader.Name+tag@example.com'],
    ['dot@example.org.', 'dot@example.org'],
    ["o'hara@sub.domain.co.uk", "o'hara@sub.domain.co.uk"],
    ['-reader*@example.com', '-reader*@example.com'],
    ...internationalDomains.map(([typed, stored]) => [`reader@${typed}`, `reader@${stored}`] as const),
  ])('%p is normalized to %p', (typed, normalized) => {
    expect(emailSchema.parse(typed)).toBe(normalized);
  });

  test.each([
    ...hostileEmails,
    ...privateHosts.map(([host]) => `a@${host}`),
    ...privateLocalParts.map((local) => `${local}@example.com`),
    ...encodedDomains.map((host) => `a@${host}`),
    `a@${'b'.repeat(64)}.co`,
    7,
    null,
    undefined,
  ])('rejects %j', (typed) => {
    expect(messageOf(emailSchema, typed)).toBe(invalidEmailMessage);
  });

  test('rejects more than 254 characters, naming the limit', () => {
    expect(messageOf(emailSchema, `${'a'.repeat(243)}@example.com`)).toMatch(/at most 254 characters/);
    expect(messageOf(emailSchema, `${'a'.repeat(100_000)}@example.com`)).toMatch(/at most 254 characters/);
    expect(messageOf(emailSchema, `${'a'.repeat(242)}@example.com.`)).toBeUndefined();
  });

  test('is decided like in a browser, which decodes no punycode, unless punycode is typed', () => {
    let accepted = 0;
    fc.assert(
      fc.property(typedDomain, (domain) => {
        if (leftToServers.test(domain.normalize('NFKC'))) return;
        const stored = privacyEmailSchema.safeParse(`reader@${domain}`).data?.replace('reader@', '');
        if (stored === undefined || !stored.includes('xn--')) return;
        accepted += 1;
        expect({ domain, isDomain: isDomain(stored) }).toEqual({ domain, isDomain: true });
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });
});

describe('the email of a privacy request', () => {
  test.each([
    [' Reader@EXAMPLE.com ', 'Reader@example.com'],
    ['dot@example.org.', 'dot@example.org'],
    ...privateHosts.map(([typed, stored]) => [`a@${typed}`, `a@${stored}`] as const),
    ...privateLocalParts.slice(0, -1).map((local) => [`${local}@example.com`, `${local}@example.com`] as const),
    ...internationalDomains.map(([typed, stored]) => [`reader@${typed}`, `reader@${stored}`] as const),
  ])('%p is normalized to %p', (typed, normalized) => {
    expect(privacyEmailSchema.parse(typed)).toBe(normalized);
  });

  test.each(hostileEmails)('rejects %j', (typed) => {
    expect(messageOf(privacyEmailSchema, typed)).toBe(invalidEmailMessage);
  });
});

test.each(wrappings)('an email is found in %j', (wrapping) => {
  for (const email of ['reader@example.com', "-o'hara+x@sub.example.org", 'a@xn--mnchen-3ya.de'])
    for (const schema of [emailSchema, privacyEmailSchema]) expect(schema.parse(wrap(wrapping, email))).toBe(email);
});

test.each([
  ['signup', emailSchema],
  ['privacy request', privacyEmailSchema],
])('the email of a %s is found in at most 320 characters', (_what, schema) => {
  const around = (length: number) => `${' '.repeat(length - 'reader@example.com'.length)}reader@example.com`;
  expect(schema.parse(around(320))).toBe('reader@example.com');
  expect(messageOf(schema, around(321))).toMatch(/at most 254 characters/);
});

/** Texts in which all that surrounds an email is nested, with what may end it at any place. */
const nested = fc
  .array(fc.constantFrom(...wrappings, '•_', '-_', '"_"', 'mailto:_?', '_@', '_\n', '_a'), { maxLength: 30 })
  .map((each) => each.reduce((text, wrapping) => wrap(wrapping, text), 'a@b.co'))
  .filter((text) => text.length <= typedEmailMaxLength);

test.each([
  ['emails', emailLike],
  ['nested texts', nested],
])('normalizing changes nothing twice, only removes what surrounds %s, and maps the domain', (_what, texts) => {
  fc.assert(
    fc.property(texts, (typed) => {
      const normalized = normalizeEmail(typed);
      expect(normalizeEmail(normalized)).toBe(normalized);
      const at = normalized.lastIndexOf('@') + 1 || normalized.length;
      expect(typed).toContain(normalized.slice(0, at));
      const spelling = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll('。', '.');
      const domains = [normalized.slice(at), domainToUnicode(normalized.slice(at))].map(spelling);
      expect(domains.some((domain) => spelling(typed).includes(domain))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('cleaning the worst text takes less than 50 ms of processor time', () => {
  const text = `${'•'.repeat(341)}a${'\u200b'.repeat(681)}b`;
  const before = process.cpuUsage();
  for (const schema of [emailSchema, privacyEmailSchema]) expect(messageOf(schema, text)).toBeDefined();
  for (const length of [1, 80, 160]) normalizeEmail(text.slice(341 - length, 341 + length));
  expect(process.cpuUsage(before).user).toBeLessThan(50_000);
});

test('whatever is accepted names one recipient, is stable, has the typed local part, and in a signup a domain that is no IP address', () => {
  fc.assert(
    fc.property(emailLike, (typed) => {
      for (const schema of [emailSchema, privacyEmailSchema]) {
        const { data: email } = schema.safeParse(typed);
        if (email === undefined) continue;
        expect(email).toMatch(/^[^@\s\p{C}\p{Z},;:<>"()\\]+@(?:[^@\s\p{C}\p{Z},;:<>"()\\]+|\[[\w.:]+\])$/u);
        expect(schema.parse(email)).toBe(email);
        expect(typed).toContain(email.slice(0, email.indexOf('@') + 1));
        if (schema !== emailSchema) continue;
        const { hostname = '' } = URL.parse(`http://${email.slice(email.indexOf('@') + 1)}`) ?? {};
        expect(hostname).not.toMatch(/^[\d.]+$|^\[/);
        expect(privacyEmailSchema.parse(typed)).toBe(email);
      }
    }),
    { numRuns: 3_000 },
  );
});
