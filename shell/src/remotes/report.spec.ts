import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { takeBeacons } from '../test/beacons.ts';

const beacons = takeBeacons();
const report = { remote: 'mf-legal', version: '1.0.0-00000001', route: '/terms', kind: 'load' } as const;
const withNonce = (nonce: string) => new Headers({ 'Server-Timing': `cdn;dur=1, report-nonce;desc="${nonce}"` });

beforeEach(() => {
  jest.useFakeTimers();
  jest.resetModules();
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(performance, 'getEntriesByType');
});

const replaceTimeline = (value: unknown) =>
  Object.defineProperty(performance, 'getEntriesByType', { configurable: true, value });

/** Imports the module like a page whose document came with this nonce. */
function openPage(nonce?: string) {
  const serverTiming = nonce ? [{ name: 'report-nonce', description: nonce }] : [];
  replaceTimeline(() => [{ serverTiming }]);
  return import('./report.ts');
}
const sentNonces = async () => (await beacons.reports()).map(({ nonce }) => nonce);

test('a report contains the nonce of the document', async () => {
  const { sendReport } = await openPage('of-document');
  sendReport(report);
  expect(await beacons.reports()).toEqual([{ ...report, nonce: 'of-document' }]);
});

test('a report has no nonce while no canary runs', async () => {
  const { sendReport } = await openPage();
  sendReport(report);
  expect(await beacons.reports()).toEqual([report]);
});

test('a page uses the newest nonce of the registry', async () => {
  const { sendReport, takeNonce } = await openPage();
  takeNonce(withNonce('first'));
  takeNonce(new Headers());
  sendReport(report);
  takeNonce(withNonce('third'));
  sendReport({ ...report, kind: 'render' });
  jest.useRealTimers();
  expect(await sentNonces()).toEqual(['first', 'third']);
});

const throwIt = () => {
  throw new Error('It was replaced.');
};

test.each([
  ['is missing', undefined],
  ['throws', throwIt],
  ['returns nothing', () => undefined],
  ['has foreign entries', () => [null]],
  ['has entries of another form', () => [{ serverTiming: 'none' }]],
  ['has metrics of another form', () => [{ serverTiming: [null] }]],
])('a report is sent without a nonce if the performance timeline %s', async (_what, value) => {
  replaceTimeline(value);
  const { sendReport } = await import('./report.ts');
  sendReport(report);
  expect(await beacons.reports()).toEqual([report]);
});

test.each([
  ['are missing', undefined],
  ['throw', throwIt],
  ['are something else', 'a text'],
])('a report is dropped without an error if beacons %s', async (_what, value) => {
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value });
  const { sendReport } = await openPage();
  expect(() => sendReport(report)).not.toThrow();
});
