import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Anonymous counts of forgotten addresses, and an index of events by address. */
export class CreateForgottenCount1795402800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE forgotten_count (
        month date NOT NULL CHECK (month = date_trunc('month', month)),
        status text NOT NULL,
        count integer NOT NULL CHECK (count > 0),
        CONSTRAINT forgotten_count_pkey PRIMARY KEY (month, status)
      )
    `);
    await queryRunner.query("CREATE INDEX outbox_event_email_idx ON outbox_event ((data->>'email'))");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX outbox_event_email_idx');
    await queryRunner.query('DROP TABLE forgotten_count');
  }
}
