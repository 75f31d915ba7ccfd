import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An older backend that still runs writes entries that are not suspected, and reads none of this. */
export class AddSuspectedEntry1795417200000 implements MigrationInterface {
  readonly name = 'AddSuspectedEntry1795417200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // A signup finds the unsubscribes of its address however they are capitalised.
    await queryRunner.query('CREATE INDEX privacy_request_lower_email_idx ON privacy_request (lower(email))');
    // Last, since its lock holds up signups until the transaction ends.
    await queryRunner.query('ALTER TABLE waitlist_entry ADD COLUMN suspected boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX privacy_request_lower_email_idx');
    await queryRunner.query('ALTER TABLE waitlist_entry DROP COLUMN suspected');
  }
}
