import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL: an address without its trailing dots, and whether the rest is an address. */
const withoutDots = (email: string) => `rtrim(${email}, '.')`;
const endsInDots = (email: string) => `${email} LIKE '%.' AND ${withoutDots(email)} LIKE '%_@_%'`;

/**
 * Fixes rows of earlier versions: privacy requests whose address ends with a period, so that an unsubscribe matched no
 * subscriber and the mail system got another address; and signups without an @, which cannot receive mail and which no
 * operator command accepts for erasing them.
 */
export class FixStoredAddresses1795413600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      WITH request AS (
        UPDATE privacy_request SET email = ${withoutDots('email')} WHERE ${endsInDots('email')}
        RETURNING kind, email, received_at
      )
      UPDATE subscriber SET unsubscribed_at = received_at FROM request
      WHERE kind IN ('unsubscribe', 'ca-unsubscribe') AND lower(subscriber.email) = lower(request.email)
        AND unsubscribed_at IS NULL
        AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id AND created_at > received_at)
    `);
    // Delivered again under a new id: with the old id, the mail system would drop it as a duplicate.
    await queryRunner.query(`
      UPDATE outbox_event SET data = jsonb_set(data, '{email}', to_jsonb(${withoutDots("data->>'email'")})),
        id = uuidv7(), next_attempt_at = now(), attempts = 0, first_attempt_at = NULL, last_error = NULL,
        delivered_at = NULL, dead_at = NULL
      WHERE ${endsInDots("data->>'email'")}
    `);
    await queryRunner.query(`
      DELETE FROM waitlist_entry USING subscriber WHERE subscriber.id = subscriber_id AND email NOT LIKE '%@%'
    `);
    // A backend of an earlier version may have stored another entry in the meantime.
    await queryRunner.query(`
      DELETE FROM subscriber WHERE email NOT LIKE '%@%'
        AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id)
    `);
    await queryRunner.query("DELETE FROM emergency_notice WHERE email NOT LIKE '%@%'");
    await queryRunner.query("DELETE FROM outbox_event WHERE data->>'email' NOT LIKE '%@%'");
  }

  /** Nothing to undo: the earlier version works with the fixed data. */
  async down(): Promise<void> {}
}
