import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAuditLog1795424400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        operator text NOT NULL CHECK (char_length(operator) BETWEEN 1 AND 60),
        action text NOT NULL,
        details jsonb NOT NULL
      )
    `);
    // A trigger instead of privileges: which role the backend logs in as is not known here.
    await queryRunner.query(`
      CREATE FUNCTION reject_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
      END $$
    `);
    await queryRunner.query(`
      CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION reject_change_of_log()
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_log');
    await queryRunner.query('DROP FUNCTION reject_change_of_log');
  }
}
