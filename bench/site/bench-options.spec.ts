import { expect, test } from '@jest/globals';
import { parseBenchOptions, partNames } from './bench-options.ts';

test('without parameters everything is measured, seven times', () => {
  const { parts, effort, to } = parseBenchOptions([]);
  expect(parts).toEqual(partNames);
  expect(effort).toMatchObject({ rounds: 7, remotes: [4, 10, 40] });
  expect(effort.routes).toBeUndefined();
  expect(to).toBeUndefined();
});

test('parts are measured in their own order, whatever the order they are named in', () => {
  expect(parseBenchOptions(['server', 'pages']).parts).toEqual(['pages', 'server']);
});

test('some routes, one round, another folder', () => {
  const options = parseBenchOptions(['pages', '--routes', '/,/terms', '--quick', '--to', 'elsewhere']);
  expect(options).toMatchObject({ effort: { routes: ['/', '/terms'], rounds: 1 }, quick: true, to: 'elsewhere' });
});

test.each([
  [['page'], 'There is no part “page”.'],
  [['--fast'], "Unknown option '--fast'."],
  [['server', '--routes', '/'], '--routes is for the part pages.'],
])('%j is refused with what to write instead', (parameters, problem) => {
  expect(() => parseBenchOptions(parameters)).toThrow(`${problem} Write one of:`);
});
