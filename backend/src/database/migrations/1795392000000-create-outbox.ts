import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOutbox1795392000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE outbox_event (
        id uuid PRIMARY KEY DEFAULT uuidv7(),
        type text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        first_attempt_at timestamptz,
        last_error text,
        delivered_at timestamptz,
        dead_at timestamptz,
        CONSTRAINT outbox_event_ends_once CHECK (num_nonnulls(delivered_at, dead_at) <= 1)
      )
    `);
    // Partial: polling reads pending events only, which stay few however many were delivered.
    await queryRunner.query(`
      CREATE INDEX outbox_event_waiting_idx ON outbox_event (next_attempt_at)
      WHERE delivered_at IS NULL AND dead_at IS NULL
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE outbox_event');
  }
}
