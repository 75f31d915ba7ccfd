/** What a subscriber can be. */
export const subscriberStatuses = ['completed', 'unfinished'] as const;
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
  'signups',
  'first_name',
  'last_name',
  'zip_code',
  'selected_offers',
] as const;

/** The newest entry that has a column set tells it: no later entry without it takes it back. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** Lists can't be aggregated as they are, for they differ in length. */
const newestList = (column: string) => `${newest(`to_jsonb(${column})`)}`;

/**
 * One row for each subscriber, whatever the number of their entries, in the order in which they first came. It reads
 * subscriber after subscriber by index, so that the first rows come at once and nothing is sorted.
 *
 * $1: signed up, for the first time or again, at or after this time; null for all. $2: a status; null for all.
 */
export const selectSubscribers = `
  SELECT email, CASE WHEN is_completed THEN 'completed' ELSE 'unfinished' END AS status,
    signed_up_at, last_signed_up_at, completed_at, signups, first_name, last_name, zip_code, selected_offers
  FROM subscriber CROSS JOIN LATERAL (
    SELECT bool_or(${isCompleted}) AS is_completed,
      min(created_at) AS signed_up_at,
      max(created_at) AS last_signed_up_at,
      min(LEAST(completed_at, notice_received_at)) AS completed_at,
      count(*) AS signups,
      ${newest('first_name')} AS first_name,
      ${newest('last_name')} AS last_name,
      ${newest('zip_code')} AS zip_code,
      ${newestList('selected_offers')} AS selected_offers
    FROM waitlist_entry WHERE subscriber_id = subscriber.id
    HAVING count(*) > 0
  ) entries
  WHERE ($1::timestamptz IS NULL OR last_signed_up_at >= $1)
    AND ($2::text IS NULL OR is_completed = ($2 = 'completed'))
  ORDER BY subscriber.id
`;
