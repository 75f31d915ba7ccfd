import { expect, test } from '@jest/globals';
import { humanLine } from './human-line.ts';
import { accessLine, logOptions } from './log-options.ts';

const options = logOptions({ service: 'backend', level: 'info', isTerminal: false });

test('whatever a line holds, no address is written', () => {
  expect(options.hooks.streamWrite('{"msg":"for ada@example.com and b%40example.com"}\n')).toBe(
    '{"msg":"for [address] and [address]"}\n',
  );
});

test('of an error its name, message, code and stack are told, not what else it carries', () => {
  const error = Object.assign(new TypeError('no'), { code: '23505', parameters: ['Ada'], detail: 'Ada' });
  expect(options.serializers.err(error)).toEqual({
    type: 'TypeError',
    message: 'no',
    code: '23505',
    stack: error.stack,
  });
});

test('requests that change something are told, others only to who debugs', () => {
  const answered = { route: '/api/waitlist', status: 201, duration: 12.3456 };
  expect(accessLine({ method: 'POST', ...answered })).toEqual({
    level: 'info',
    fields: { method: 'POST', route: '/api/waitlist', status: 201, duration: 12.3 },
    message: 'POST /api/waitlist 201 in 12.3 ms',
  });
  expect(accessLine({ method: 'GET', ...answered }).level).toBe('debug');
});

test('in a terminal a line reads like a sentence, with the stack of an error below', () => {
  const line = { level: 'error', time: '2026-11-21T12:34:56.789Z', service: 'backend', requestId: 'k3j2', msg: 'No.' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const plain = (text: string) => text.replace(/\u001b\[\d+m/g, '');
  expect(plain(humanLine(`${JSON.stringify(line)}\n`))).toBe('12:34:56.789 backend error No. k3j2\n');
  const failed = { ...line, err: { stack: 'Error: no\n  at here' } };
  expect(plain(humanLine(JSON.stringify(failed)))).toBe(
    '12:34:56.789 backend error No. k3j2\n    Error: no\n      at here\n',
  );
  expect(humanLine('no JSON\n')).toBe('no JSON\n');
});
