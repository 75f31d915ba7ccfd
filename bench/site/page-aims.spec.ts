import { expect, test } from '@jest/globals';
import type { Sample } from '../rounds.ts';
import { pageAims } from './page-aims.ts';

const good = { largestPaint: 410, hydrated: 900, layoutShift: 0, blocking: 20, scriptKilobytes: 100 };
const baselines = {
  'static HTML': { largestPaint: 400 },
  'single bundle': { hydrated: 1000, scriptKilobytes: 90 },
};
const route = (name: string, changes: Sample = {}) => ({
  name,
  rounds: [{ site: { ...good, ...changes }, ...baselines }],
});
const aimsOf = (...routes: readonly ReturnType<typeof route>[]) => {
  const aims = pageAims(routes, routes);
  return Object.fromEntries(aims.map(({ figure, measured, met }) => [figure.split(/,| on /)[0], { measured, met }]));
};

test('a site that reaches everything has met every aim', () => {
  const aims = pageAims([route('/'), route('/terms')], []);
  expect(aims).toHaveLength(5);
  expect(aims.every(({ met }) => met)).toBe(true);
});

test('one route that paints late misses the aim for all, and is named', () => {
  const aims = aimsOf(route('/'), route('/terms', { largestPaint: 800 }));
  expect(aims['largest contentful paint']).toEqual({ measured: '1 of 2 routes; at most 2.00 × (/terms)', met: false });
});

test('hydration is judged by the route in the middle, and the latest one is named', () => {
  const late = route('/terms', { hydrated: 1500 });
  const routes = [route('/'), late, route('/unsubscribe')];
  expect(aimsOf(...routes)['time to hydrated']).toEqual({ measured: '0.90 ×; at most 1.50 × (/terms)', met: true });
  expect(aimsOf(...routes, late, late)['time to hydrated']).toMatchObject({ met: false });
});

test('any shift is too much, with a warm cache as well', () => {
  const [, shift] = pageAims([route('/')], [route('/terms', { layoutShift: 0.02 })]);
  expect(shift).toMatchObject({ figure: 'layout shift', measured: '0.020 (/terms)', met: false });
});

test('the home page has limits of its own, which say nothing where it was not measured', () => {
  const aims = aimsOf(route('/', { blocking: 51, scriptKilobytes: 121 }));
  expect(aims['total blocking time']).toEqual({ measured: '51 ms', met: false });
  expect(aims.JavaScript).toEqual({ measured: '1.34 ×, 121.0 kB', met: false });
  expect(Object.keys(aimsOf(route('/terms')))).toEqual([
    'largest contentful paint',
    'layout shift',
    'time to hydrated',
  ]);
});
