import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backward compatible: backends of the earlier version insert NULL and never read the column. */
export class AddSignupKey1795420800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE waitlist_entry ADD COLUMN idempotency_key uuid');
    // Partial: earlier entries and those of clients without a key take no space.
    await queryRunner.query(`
      CREATE UNIQUE INDEX waitlist_entry_idempotency_key ON waitlist_entry (idempotency_key)
      WHERE idempotency_key IS NOT NULL
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE waitlist_entry DROP COLUMN idempotency_key');
  }
}
