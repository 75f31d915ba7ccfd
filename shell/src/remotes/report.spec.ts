import { beforeEach, expect, jest, test } from '@jest/globals';
import { takeBeacons } from '../test/beacons.ts';

const beacons = takeBeacons();
const report = { remote: 'mf-legal', version: '1.0.0-00000001', route: '/terms', kind: 'load' } as const;

/** Imports the module as a new page does. */
const openPage = () => import('./report.ts');
beforeEach(() => {
  jest.resetModules();
});

test('a failure is reported once per page', async () => {
  const { sendReport } = await openPage();
  for (const kind of ['load', 'load', 'render', 'load'] as const) sendReport({ ...report, kind });
  expect(await beacons.reports()).toEqual([report, { ...report, kind: 'render' }]);
});

const throwIt = () => {
  throw new Error('It was replaced.');
};

test.each([
  ['are missing', undefined],
  ['throw', throwIt],
  ['are something else', 'a text'],
])('a report is dropped without an error if beacons %s', async (_what, value) => {
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value });
  const { sendReport } = await openPage();
  expect(() => sendReport(report)).not.toThrow();
});
