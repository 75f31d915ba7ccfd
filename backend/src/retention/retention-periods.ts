import type { Environment } from '../environment.ts';

/**
 * How long what the Privacy Policy gives an end is kept ("How long we keep it"), as PostgreSQL intervals; policy and
 * California notice state the same periods (test/retention.integration.spec.ts compares them).
 */
const statedPeriods = {
  /** User agent, language and network of an entry, from its signup. */
  clientInfo: '90 days',
  /** A registration that nobody completed, from its signup. */
  unfinishedEntries: '12 months',
  /** An emergency notice, from when it came. */
  emergencyNotices: '90 days',
  /** What was told to the mail system, or shall never be, from when it happened: it holds the address. */
  events: '90 days',
} as const;

/** For each kind of what is removed, a PostgreSQL interval. */
export type RetentionPeriods = Readonly<Record<keyof typeof statedPeriods | 'privacyRequests', string>>;

/** How long everything is kept. Of privacy requests, the policy states only the least: the operator may keep them longer. */
export const retentionPeriods = ({ PRIVACY_REQUESTS_KEPT }: Pick<Environment, 'PRIVACY_REQUESTS_KEPT'>) =>
  ({ ...statedPeriods, privacyRequests: `${PRIVACY_REQUESTS_KEPT} months` }) satisfies RetentionPeriods;
