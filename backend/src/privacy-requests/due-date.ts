import type { PrivacyRequestKind } from '@daybook/contract';
import { dayAt, endOf } from './calendar-day.ts';
import { isBusinessDay } from './federal-holidays.ts';

interface ProcessingTime {
  readonly count: number;
  readonly unit: 'hours' | 'days' | 'business days';
}

/** What the pages say of how long processing takes (product document, section 9). */
export const processingTimes: Readonly<Record<PrivacyRequestKind, ProcessingTime>> = {
  unsubscribe: { count: 48, unit: 'hours' },
  'ca-unsubscribe': { count: 48, unit: 'hours' },
  'privacy-rights-request': { count: 45, unit: 'days' },
  'profiling-opt-out': { count: 15, unit: 'business days' },
  'targeted-opt-out': { count: 15, unit: 'business days' },
  'limit-sensitive-info': { count: 15, unit: 'business days' },
};

const hour = 60 * 60 * 1000;

/**
 * By when a request has to be processed. Hours and days pass from the very moment that it came, whatever the clocks
 * do. Of business days, the one on which it came does not count, and the last one counts until its end in the
 * publisher's time zone.
 */
export function dueDateOf(kind: PrivacyRequestKind, receivedAt: Date): Date {
  const { count, unit } = processingTimes[kind];
  switch (unit) {
    case 'hours':
      return new Date(receivedAt.getTime() + count * hour);
    case 'days':
      return new Date(receivedAt.getTime() + count * 24 * hour);
    case 'business days':
      return afterBusinessDays(count, receivedAt);
  }
}

function afterBusinessDays(count: number, receivedAt: Date): Date {
  let day = dayAt(receivedAt);
  for (let counted = 0; counted < count; ) {
    day += 1;
    if (isBusinessDay(day)) counted += 1;
  }
  return endOf(day);
}
