/**
 * What a subscriber can be: with a registration that was completed, or without; suspected, where every registration has
 * the honeypot field filled in and none was completed since; or, whatever they have, unsubscribed by a privacy request,
 * after which they did not sign up again.
 */
export const subscriberStatuses = ['completed', 'unfinished', 'suspected', 'unsubscribed'] as const;
export type SubscriberStatus = (typeof subscriberStatuses)[number];

/** Whether an entry counts as completed: who sent a completion notice saw the thank-you page. */
export const isCompleted = 'num_nonnulls(completed_at, notice_received_at) > 0';

/** The columns of an export, in their order. */
export const subscriberColumns = [
  'email',
  'status',
  'signed_up_at',
  'last_signed_up_at',
  'completed_at',
  'unsubscribed_at',
  'signups',
  'first_name',
  'last_name',
  'zip_code',
  'selected_offers',
] as const;

/** The newest entry that has a column set tells it: no later entry without it takes it back. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/**
 * One row for each subscriber, whatever the number of their entries, in the order in which they first came. It reads the
 * entries of subscriber after subscriber by index, so that nothing is kept but the row that is told.
 */
const selectRows = (condition: string) => `
  SELECT email,
    CASE WHEN unsubscribed_at IS NOT NULL THEN 'unsubscribed' WHEN is_completed THEN 'completed'
      WHEN is_suspected THEN 'suspected' ELSE 'unfinished' END AS status,
    signed_up_at, last_signed_up_at, completed_at, unsubscribed_at, signups, first_name, last_name, zip_code, selected_offers
  FROM subscriber CROSS JOIN LATERAL (
    SELECT bool_or(${isCompleted}) AS is_completed,
      bool_and(suspected) AS is_suspected,
      min(created_at) AS signed_up_at,
      max(created_at) AS last_signed_up_at,
      min(LEAST(completed_at, notice_received_at)) AS completed_at,
      count(*) AS signups,
      ${newest('first_name')} AS first_name,
      ${newest('last_name')} AS last_name,
      ${newest('zip_code')} AS zip_code,
      ${newest('to_jsonb(selected_offers)')} AS selected_offers
    FROM waitlist_entry WHERE subscriber_id = subscriber.id
  ) AS entries
  WHERE ${condition} ORDER BY subscriber.id
`;

const hasEntry = (condition: string) =>
  `subscriber.id IN (SELECT subscriber_id FROM waitlist_entry WHERE ${condition})`;
const conditionOf: Readonly<Record<SubscriberStatus, string>> = {
  unsubscribed: 'unsubscribed_at IS NOT NULL',
  completed: `unsubscribed_at IS NULL AND ${hasEntry(isCompleted)}`,
  suspected: `unsubscribed_at IS NULL AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id AND NOT suspected)`,
  unfinished: `unsubscribed_at IS NULL AND ${hasEntry('NOT suspected')} AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id AND ${isCompleted})`,
};

/** Which subscribers are wanted; all where nothing is said. */
export interface Wanted {
  /** Signed up, for the first time or again, at this time or later. */
  readonly since?: Date | undefined;
  readonly status?: SubscriberStatus | undefined;
}

/** The statements that give the rows of the subscribers that are wanted, and their number, with their values. */
export function selectSubscribers({ since, status }: Wanted) {
  const conditions = [since ? hasEntry('created_at >= $1') : 'true', status ? conditionOf[status] : 'true'];
  const condition = conditions.join(' AND ');
  return {
    rows: selectRows(condition),
    count: `SELECT count(*) AS total FROM subscriber WHERE ${condition}`,
    values: since ? [since] : [],
  };
}
