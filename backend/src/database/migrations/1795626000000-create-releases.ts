import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createRole } from '../create-role.ts';

/**
 * Tables of the shell server, in a schema of their own. Its role `shell` owns nothing, has no other privileges in this
 * database, and can't rewrite the history: `deployment` and `sign_in` are append-only for it.
 */
export class CreateReleases1795626000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(createRole('shell'));
    await queryRunner.query('CREATE SCHEMA releases');
    // Of a remote; and the shell's own builds, as releases of `shell`, without a signature. The manifest is release.json, byte
    // for byte; pages are the sizes and hashes of the checked HTML, which is in release_file.
    await queryRunner.query(`
      CREATE TABLE releases.release (
        remote text NOT NULL,
        version text NOT NULL,
        manifest text NOT NULL,
        signature text,
        pages jsonb NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (remote, version)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE releases.release_file (
        remote text NOT NULL,
        version text NOT NULL,
        name text NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (remote, version, name),
        FOREIGN KEY (remote, version) REFERENCES releases.release ON DELETE CASCADE
      )
    `);
    // The primary key is the compare-and-set: of two deployments of the same number one fails.
    await queryRunner.query(`
      CREATE TABLE releases.deployment (
        remote text NOT NULL,
        number integer NOT NULL CHECK (number > 0),
        at timestamptz NOT NULL DEFAULT now(),
        action text NOT NULL CHECK (action IN ('activate', 'offer', 'end', 'hold', 'lift')),
        version text,
        audience text CHECK (audience IN ('canary', 'preview')),
        percent smallint CHECK (percent BETWEEN 1 AND 99),
        token_hash text,
        ends_at timestamptz,
        left_version text,
        why text NOT NULL,
        by text NOT NULL,
        PRIMARY KEY (remote, number),
        CHECK ((action IN ('activate', 'offer', 'end')) = (version IS NOT NULL)),
        CHECK ((action IN ('offer', 'end')) = (audience IS NOT NULL)),
        CHECK ((action = 'offer' AND audience = 'canary') = (percent IS NOT NULL)),
        CHECK ((action = 'offer' AND audience = 'preview') = (token_hash IS NOT NULL AND ends_at IS NOT NULL)),
        CHECK (action = 'activate' OR left_version IS NULL)
      )
    `);
    // Of the last hour: their number and bytes are limited.
    await queryRunner.query(`
      CREATE TABLE releases.upload (
        remote text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        bytes bigint NOT NULL
      )
    `);
    await queryRunner.query(`
      CREATE TABLE releases.session (
        id text PRIMARY KEY,
        token_name text NOT NULL,
        content jsonb NOT NULL,
        expires_at timestamptz NOT NULL
      )
    `);
    await queryRunner.query(`
      CREATE TABLE releases.sign_in (
        at timestamptz NOT NULL DEFAULT now(),
        operator text NOT NULL,
        action text NOT NULL,
        network text NOT NULL
      )
    `);
    // Page views and failures, summed over all replicas.
    await queryRunner.query(`
      CREATE TABLE releases.count (
        remote text NOT NULL,
        version text NOT NULL,
        interval_start timestamptz NOT NULL,
        views integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        PRIMARY KEY (remote, version, interval_start)
      )
    `);
    await queryRunner.query('GRANT USAGE ON SCHEMA releases TO shell');
    await queryRunner.query('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA releases TO shell');
    await queryRunner.query('GRANT UPDATE ON releases.release, releases.session, releases.count TO shell');
    await queryRunner.query(`
      GRANT DELETE
      ON releases.release, releases.release_file, releases.session, releases.count, releases.upload TO shell
    `);
  }

  /** Leaves the role, which belongs to the server: without the schema it has no privileges. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SCHEMA releases CASCADE');
  }
}
