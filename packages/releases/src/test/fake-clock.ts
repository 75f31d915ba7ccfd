import { jest } from '@jest/globals';

const fakeable = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** Fakes the timers of timeouts, or the date, and leaves all else to the machine; until `jest.useRealTimers()`. */
export const fakeClock = (what: 'timeouts' | 'date'): unknown =>
  jest.useFakeTimers({
    doNotFake: fakeable.filter((name) => (what === 'date' ? name !== 'Date' : !/Timeout$/.test(name))),
  });
