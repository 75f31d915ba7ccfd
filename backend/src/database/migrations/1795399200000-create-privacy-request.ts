import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePrivacyRequest1795399200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE privacy_request (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        reference text NOT NULL CONSTRAINT privacy_request_reference_key UNIQUE CHECK (char_length(reference) = 14),
        kind text NOT NULL CHECK (char_length(kind) <= 40),
        email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
        fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'object'),
        page_version text NOT NULL CHECK (char_length(page_version) <= 100),
        global_privacy_control boolean NOT NULL,
        received_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL CHECK (due_at > received_at),
        done_at timestamptz
      )
    `);
    await queryRunner.query('CREATE INDEX privacy_request_open_idx ON privacy_request (due_at) WHERE done_at IS NULL');
    // The time from which retention counts.
    await queryRunner.query('CREATE INDEX privacy_request_ended_idx ON privacy_request ((GREATEST(due_at, done_at)))');
    await queryRunner.query('ALTER TABLE subscriber ADD COLUMN unsubscribed_at timestamptz');
    // Unsubscribes match addresses case-insensitively.
    await queryRunner.query('CREATE INDEX subscriber_lower_email_idx ON subscriber (lower(email))');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX subscriber_lower_email_idx');
    await queryRunner.query('ALTER TABLE subscriber DROP COLUMN unsubscribed_at');
    await queryRunner.query('DROP TABLE privacy_request');
  }
}
