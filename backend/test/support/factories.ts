import type { CompletionNotice, EmergencyNotice, Information } from '@daybook/contract/api';

let emails = 0;

/** Returns an unused email. */
export const anEmail = (): string => `reader${++emails}@example.com`;

const letters = 'abcdefghijklmno';

/** Returns one of the spellings of an email that differ in case, by a number below 2 ** 15. */
export const spelling = (bits: number): string =>
  `${[...letters].map((letter, place) => ((bits >> place) & 1 ? letter.toUpperCase() : letter)).join('')}@example.com`;

export const information = (overrides: Partial<Information> = {}): Information => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  zipCode: '10001',
  ...overrides,
});

export const completionNotice = (overrides: Partial<CompletionNotice> = {}): CompletionNotice => ({
  source: 'thank-you',
  timestamp: '2026-01-02T03:04:05.000Z',
  forceSend: true,
  ...overrides,
});

export const emergencyNotice = (overrides: Partial<EmergencyNotice> = {}): EmergencyNotice => ({
  email: anEmail(),
  source: 'thank-you',
  timestamp: '2026-01-02T03:04:05.000Z',
  ...overrides,
});

/** Returns the body of a privacy request: by default an unsubscribe. */
export const privacyRequest = (overrides: object = {}) => ({
  kind: 'unsubscribe',
  email: anEmail(),
  pageVersion: 'mf-privacy@1.0.0-3f9ac2d1',
  fields: {},
  ...overrides,
});
