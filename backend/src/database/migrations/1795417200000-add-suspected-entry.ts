import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backward compatible: backends of the earlier version insert the default and never read the column. */
export class AddSuspectedEntry1795417200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Signups match earlier unsubscribes case-insensitively.
    await queryRunner.query('CREATE INDEX privacy_request_lower_email_idx ON privacy_request (lower(email))');
    // Last, because its lock blocks signups until the transaction ends.
    await queryRunner.query('ALTER TABLE waitlist_entry ADD COLUMN suspected boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX privacy_request_lower_email_idx');
    await queryRunner.query('ALTER TABLE waitlist_entry DROP COLUMN suspected');
  }
}
