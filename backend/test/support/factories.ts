import { randomBytes } from 'node:crypto';
import {
  type CompletionNotice,
  type EmergencyNotice,
  type Information,
  type PrivacyRequest,
  type WaitlistEntryResponse,
} from '@daybook/contract';
import type { Answer, RequestOptions, TestBackend } from './test-backend.ts';

let addresses = 0;

/** An address that no test used before. */
export const anAddress = (): string => `reader${++addresses}@example.com`;

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
  email: anAddress(),
  source: 'thank-you',
  timestamp: '2026-01-02T03:04:05.000Z',
  ...overrides,
});

/** What a privacy page sends: an unsubscribe with a key of its own, where nothing else is said. */
export const privacyRequest = (overrides: Partial<PrivacyRequest> = {}) => ({
  kind: 'unsubscribe',
  email: anAddress(),
  pageVersion: 'mf-privacy@1.0.0-3f9ac2d1',
  idempotencyKey: randomBytes(16).toString('hex'),
  fields: {},
  ...overrides,
});

/** Signs up as a browser does; `cookie` is what this browser already has. */
export function signUp(
  backend: TestBackend,
  { email = anAddress(), cookie, ...options }: { email?: string; cookie?: string | undefined } & RequestOptions = {},
): Promise<Answer<WaitlistEntryResponse>> {
  const headers = { ...options.headers, ...(cookie === undefined ? {} : { cookie }) };
  return backend.request('POST', '/api/waitlist', { json: { email }, headers });
}

/** The id of a new entry. */
export async function anEntryId(backend: TestBackend): Promise<number> {
  return (await signUp(backend)).body.entry.id;
}
