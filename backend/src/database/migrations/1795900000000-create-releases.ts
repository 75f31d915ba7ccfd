import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createRole } from '../create-role.ts';

/** Tables of the shell server, whose role `shell` can't rewrite the log: rows of `state` stay. */
export class CreateReleases1795900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(createRole('shell'));
    // Of versions before the first release of the product.
    await queryRunner.query('DROP SCHEMA IF EXISTS releases CASCADE');
    await queryRunner.query('CREATE SCHEMA releases');
    await queryRunner.query('CREATE TABLE releases.blob (hash text PRIMARY KEY, content bytea NOT NULL)');
    // The manifest is release.json, byte for byte; the shell's own files are releases of `shell`.
    await queryRunner.query(`
      CREATE TABLE releases.release (
        remote text NOT NULL,
        version text NOT NULL,
        manifest text NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (remote, version)
      )
    `);
    // What keeps a blob alive.
    await queryRunner.query(`
      CREATE TABLE releases.file (
        remote text NOT NULL,
        version text NOT NULL,
        hash text NOT NULL REFERENCES releases.blob,
        PRIMARY KEY (remote, version, hash),
        FOREIGN KEY (remote, version) REFERENCES releases.release ON DELETE CASCADE
      )
    `);
    await queryRunner.query('CREATE INDEX ON releases.file (hash)');
    // The last row of a remote is its state. The primary key is the compare-and-set.
    await queryRunner.query(`
      CREATE TABLE releases.state (
        remote text NOT NULL,
        number integer NOT NULL CHECK (number > 0),
        action text NOT NULL
          CHECK (action IN ('publish', 'activate', 'rollback', 'canary', 'end', 'hold', 'lift')),
        active text,
        canary text,
        percent smallint CHECK (percent BETWEEN 1 AND 99),
        held_by text,
        held_by_operator boolean NOT NULL,
        by text NOT NULL,
        why text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (remote, number),
        CHECK ((canary IS NULL) = (percent IS NULL))
      )
    `);
    await queryRunner.query('GRANT USAGE ON SCHEMA releases TO shell');
    await queryRunner.query('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA releases TO shell');
    await queryRunner.query('GRANT DELETE ON releases.release, releases.file, releases.blob TO shell');
  }

  /** Leaves the role, which belongs to the server: without the schema it has no privileges. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SCHEMA releases CASCADE');
  }
}
