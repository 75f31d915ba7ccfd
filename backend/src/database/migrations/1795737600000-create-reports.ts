import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createRole } from '../create-role.ts';

/** SQL: whether an entry counts as completed. A completion notice counts: its visitor saw the thank-you page. */
const isCompleted = 'num_nonnulls(completed_at, notice_received_at) > 0';

/** Returns SQL for a column of the newest entry that has a value in it; later entries without one do not clear it. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY entry.created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/**
 * Views for operators and dashboards: docs/subscribers.md describes them. Those of the schema `reports` contain no personal data,
 * so reading them is not recorded; the role `reports` can read nothing else.
 */
export class CreateReports1795737600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(createRole('reports'));
    // One row per subscriber, also without entries. An unsubscribe, which is without a signup since, overrides the others.
    await queryRunner.query(`
      CREATE VIEW subscriber_export AS
      SELECT email,
        CASE WHEN unsubscribed_at IS NOT NULL THEN 'unsubscribed' WHEN bool_or(${isCompleted}) THEN 'completed'
          WHEN bool_and(suspected) THEN 'suspected' ELSE 'unfinished' END AS status,
        min(entry.created_at) AS signed_up_at,
        max(entry.created_at) AS last_signed_up_at,
        min(LEAST(completed_at, notice_received_at)) AS completed_at,
        unsubscribed_at,
        count(entry.id) AS signups,
        ${newest('first_name')} AS first_name,
        ${newest('last_name')} AS last_name,
        ${newest('zip_code')} AS zip_code,
        ${newest('to_jsonb(selected_offers)')} AS selected_offers
      FROM subscriber LEFT JOIN waitlist_entry AS entry ON entry.subscriber_id = subscriber.id
      GROUP BY subscriber.id ORDER BY subscriber.id
    `);
    await queryRunner.query('CREATE SCHEMA reports');
    await queryRunner.query(`
      CREATE VIEW reports.subscribers AS SELECT status, count(*) AS subscribers FROM subscriber_export GROUP BY status
    `);
    await queryRunner.query(`
      CREATE VIEW reports.signups AS
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS signups,
        count(*) FILTER (WHERE ${isCompleted}) AS completed,
        count(*) FILTER (WHERE NOT ${isCompleted} AND NOT suspected) AS unfinished,
        count(*) FILTER (WHERE NOT ${isCompleted} AND suspected) AS suspected
      FROM waitlist_entry GROUP BY day ORDER BY day DESC
    `);
    await queryRunner.query(`
      CREATE VIEW reports.events AS
      SELECT id, type, status, created_at, attempts, next_attempt_at, ended_at, last_error FROM outbox_event ORDER BY id DESC
    `);
    await queryRunner.query(`
      CREATE VIEW reports.privacy_requests AS
      SELECT reference, kind, received_at, due_at, done_at,
        CASE WHEN done_at IS NOT NULL THEN 'done' WHEN due_at < now() THEN 'overdue' ELSE 'open' END AS status
      FROM privacy_request ORDER BY done_at IS NOT NULL, due_at
    `);
    await queryRunner.query(`
      CREATE VIEW reports.audit_log AS
      SELECT at, operator, action, details FROM public.audit_log ORDER BY id DESC
    `);
    await queryRunner.query('GRANT USAGE ON SCHEMA reports TO reports');
    await queryRunner.query('GRANT SELECT ON ALL TABLES IN SCHEMA reports TO reports');
  }

  /** Leaves the role, which belongs to the server: without the schema it has no privileges. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SCHEMA reports CASCADE');
    await queryRunner.query('DROP VIEW subscriber_export');
  }
}
