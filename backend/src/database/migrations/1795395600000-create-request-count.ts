import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rate limit counts per key and minute, of all backends. Unlogged: saves the write-ahead log, and a crash only loses
 * the counts of a minute.
 */
export class CreateRequestCount1795395600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE request_count (
        minute integer NOT NULL,
        key text NOT NULL CHECK (char_length(key) = 22),
        count integer NOT NULL CHECK (count > 0),
        CONSTRAINT request_count_pkey PRIMARY KEY (minute, key)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE request_count');
  }
}
