import { emailOf } from '@daybook/contract/email';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import Fastify, { LogController } from 'fastify';
import { forTerminal, logOptions, registerAccessLog, requestIdHeader, requestIdOf, withoutEmails } from './logging.ts';

const options = logOptions({ service: 'backend', level: 'info' });

test('the log has no emails, and of an error name, message, code and stack', () => {
  const line = '{"msg":"for ada@example.com and b%40example.com"}\n';
  expect(options.hooks.streamWrite(line)).toBe('{"msg":"for [address] and [address]"}\n');
  const error = Object.assign(new TypeError('no'), { code: '23505', parameters: ['Ada'], detail: 'Ada' });
  const logged = { type: 'TypeError', message: 'no', code: '23505', stack: error.stack };
  expect(options.serializers.err(error)).toEqual(logged);
});

test('writes are logged at level info and others at debug, with an id and no email', async () => {
  const lines: Record<string, unknown>[] = [];
  const app = Fastify({
    logger: { level: 'debug', stream: { write: (line) => lines.push(JSON.parse(line)) } },
    logController: new LogController({ disableRequestLogging: true }),
  });
  registerAccessLog(app, (url) => url.startsWith('/counted'));
  for (const url of ['/waitlist/:id', '/counted/:id']) app.all(url, async () => '');
  const { headers } = await app.inject({ method: 'POST', url: '/waitlist/ada@example.com' });
  await app.inject({ method: 'GET', url: '/waitlist/7' });
  await app.inject({ method: 'POST', url: '/counted/7' });
  expect(headers[requestIdHeader]).toBe(lines[0]?.reqId);
  expect(lines.map(({ level, method, route, status }) => [level, method, route, status])).toEqual([
    [30, 'POST', '/waitlist/:id', 200],
    [20, 'GET', '/waitlist/:id', 200],
    [20, 'POST', '/counted/:id', 200],
  ]);
  expect(lines[0]?.msg).toMatch(/^POST \/waitlist\/:id 200 in [\d.]+ ms$/);
});

test('control characters reach no terminal, also after their escapes are parsed', () => {
  const controls = ['\0', '\x07', '\b', '\f', '\r', '\x1b', '\x7f', '\x9b', '\u2028', '\u202e'];
  const line = options.hooks.streamWrite(
    `${JSON.stringify({ msg: `a${controls.join('é')}b \\u001b "quoted" \\ 👍\n\tat` })}\n`,
  );
  expect(line).toMatch(/^[^\p{C}\u2028\u2029]*\n$/u);
  const { msg } = JSON.parse(forTerminal(line));
  expect(msg).toBe(`a${controls.map(() => '\ufffd').join('é')}b \\u001b "quoted" \\ 👍\n\tat`);
});

test.each([
  ['Key (email)=(ada.l+news@mail.example.com) already exists', 'Key (email)=([address]) already exists'],
  ['leser@münchen.de unsubscribed', '[address] unsubscribed'],
  ['?email=a%40%5BIPv6%3A2001%3ADB8%3A%3A1%5D&y=1', '[address]&y=1'],
  ['at node_modules/@nestjs/core/router.js', 'at node_modules/@nestjs/core/router.js'],
  ['mf-legal@1.0.0-3f9ac2d10b7e was rolled back', 'mf-legal@1.0.0-3f9ac2d10b7e was rolled back'],
])('%s is logged as %s', (text, logged) => {
  expect(withoutEmails(text)).toBe(logged);
});

const emails = [
  ...["-o'hara_7@ab--cd.sub.example.co.uk", 'a@MÜNCHEN.de', 'a@例え。jp', 'a@Ｅｘａｍｐｌｅ．ｃｏｍ', 'a@उदाहरण.भारत'],
  ...[
    'a@localhost',
    'a@192.0.2.1',
    're..ader@example.com',
    '.reader@example.com',
    'ädä@example.com',
    'पाठक@example.com',
  ],
];

test('every email that is accepted is redacted, plain or in a URL', () => {
  // A slash divides paths, so the text before the last one in a local part remains.
  const email = fc
    .oneof(
      fc.emailAddress(),
      fc.domain().map((domain) => `reader@${domain}`),
      fc.constantFrom(...emails),
    )
    .filter((text) => !text.includes('/') && emailOf(text) !== undefined);
  fc.assert(
    fc.property(email, fc.constantFrom('', 'é', ' ', '"', ')'), (text, after) => {
      const quoted = [text, encodeURIComponent(text)].map((each) =>
        withoutEmails(JSON.stringify(`to ${each}${after}`)),
      );
      expect(quoted.map((line) => /@|%40/.test(line))).toEqual([false, false]);
    }),
  );
});

test('a request id is accepted from a trusted proxy alone, and can be no email', () => {
  const idOf = (header: string, isTrusted = true) => requestIdOf({ [requestIdHeader]: header }, isTrusted);
  for (const id of ['k3j2', 'Root:1-67891233']) expect(idOf(id)).toBe(id);
  for (const id of ['', 'ada@example.com', 'a\nb', 'x'.repeat(65)]) expect(idOf(id)).toMatch(/^[\da-f-]{36}$/);
  expect(idOf('k3j2', false)).not.toBe('k3j2');
  expect(requestIdOf({}, false)).not.toBe(requestIdOf({}, false));
});
