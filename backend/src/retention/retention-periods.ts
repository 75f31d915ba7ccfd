import type { Environment } from '../environment.ts';

/**
 * How long what the Privacy Policy gives an end is kept ("How long we keep it"), as PostgreSQL intervals; policy and
 * California notice state the same periods (test/retention.integration.spec.ts compares them). The environment may make
 * the first two shorter than stated, and that of privacy requests, of which the policy states the least, longer.
 */
export const retentionPeriods = ({
  CLIENT_DETAILS_KEPT,
  UNFINISHED_ENTRIES_KEPT,
  PRIVACY_REQUESTS_KEPT,
}: Pick<Environment, 'CLIENT_DETAILS_KEPT' | 'UNFINISHED_ENTRIES_KEPT' | 'PRIVACY_REQUESTS_KEPT'>) => ({
  /** User agent, language and network of an entry, from its signup. */
  clientInfo: `${CLIENT_DETAILS_KEPT} days`,
  /** A registration that nobody completed, from its signup. */
  unfinishedEntries: `${UNFINISHED_ENTRIES_KEPT} months`,
  /** An emergency notice, from when it came. */
  emergencyNotices: '90 days',
  /** What was asked on the privacy pages, from the answer or, where none is noted, the due date. */
  privacyRequests: `${PRIVACY_REQUESTS_KEPT} months`,
  /** What was told to the mail system, or shall never be, from when it happened: it holds the address. */
  events: '90 days',
});

/** For each kind of what is removed, a PostgreSQL interval. */
export type RetentionPeriods = Readonly<ReturnType<typeof retentionPeriods>>;
