import { expect, test } from '@jest/globals';
import { readWrk } from './wrk.ts';

const written = (lines: readonly string[], latency = '10.24ms') =>
  [
    'Running 1s test @ http://127.0.0.1:9120/',
    '  1 threads and 32 connections',
    '  Thread Stats   Avg      Stdev     Max   +/- Stdev',
    '    Latency     0.87ms    1.64ms  15.20ms   93.83%',
    '  Latency Distribution',
    '     90%    1.36ms',
    `     99%   ${latency}`,
    '  60201 requests in 1.01s, 1.02GB read',
    ...lines,
    'Requests/sec:  59667.39',
    'Transfer/sec:      1.01GB',
    '',
  ].join('\n');

test.each([
  ['10.24ms', 10.24],
  ['450.00us', 0.45],
  ['1.50s', 1_500],
])('the figures are read, a latency of %s in ms', (latency, p99) => {
  expect(readWrk(written([], latency))).toEqual({ answers: 60_201, perSecond: 59_667.39, p99 });
});

test.each(['  Non-2xx or 3xx responses: 7', '  Socket errors: connect 0, read 7, write 0, timeout 0'])(
  'a failure is no figure: %s',
  (line) => expect(() => readWrk(written([line]))).toThrow(`The load of wrk failed: ${line.trim()}`),
);

test('another text is shown', () => {
  expect(() => readWrk('wrk 9: all is well')).toThrow('another way than expected:\nwrk 9: all is well');
});
