import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The spelling of an address without its trailing dots, and whether there is an address left. */
const withoutDots = (email: string) => `rtrim(${email}, '.')`;
const endsInDots = (email: string) => `${email} LIKE '%.' AND ${withoutDots(email)} LIKE '%_@_%'`;

/**
 * Repairs what earlier versions stored: privacy requests whose address ends in the full stop of its sentence, so that
 * an unsubscribe found nobody and the mail system heard of another address, and signups of texts without an @, which can receive no mail and which no operator
 * command can name to erase them.
 */
export class FixStoredAddresses1795413600000 implements MigrationInterface {
  readonly name = 'FixStoredAddresses1795413600000';

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
    // Sent again, under a new id, so that the mail system does not go on with the address as it knew it.
    await queryRunner.query(`
      UPDATE outbox_event SET data = jsonb_set(data, '{email}', to_jsonb(${withoutDots("data->>'email'")})),
        id = uuidv7(), next_attempt_at = now(), attempts = 0, first_attempt_at = NULL, last_error = NULL,
        delivered_at = NULL, dead_at = NULL
      WHERE ${endsInDots("data->>'email'")}
    `);
    await queryRunner.query(`
      DELETE FROM waitlist_entry USING subscriber WHERE subscriber.id = subscriber_id AND email NOT LIKE '%@%'
    `);
    // A backend of an earlier version may have stored one more entry meanwhile.
    await queryRunner.query(`
      DELETE FROM subscriber WHERE email NOT LIKE '%@%'
        AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id)
    `);
    await queryRunner.query("DELETE FROM emergency_notice WHERE email NOT LIKE '%@%'");
    await queryRunner.query("DELETE FROM outbox_event WHERE data->>'email' NOT LIKE '%@%'");
  }

  /** The repaired data fits the earlier version as well. */
  async down(): Promise<void> {}
}
