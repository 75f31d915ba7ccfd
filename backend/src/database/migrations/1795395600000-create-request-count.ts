import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often a key was counted in a minute, by all backends. What a crash loses is a minute's counts: the table need
 * not survive one, and costs no write-ahead log.
 */
export class CreateRequestCount1795395600000 implements MigrationInterface {
  readonly name = 'CreateRequestCount1795395600000';

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
