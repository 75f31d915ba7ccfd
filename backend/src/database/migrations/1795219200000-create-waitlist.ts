import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWaitlist1795219200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE subscriber (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL CONSTRAINT subscriber_email_key UNIQUE CHECK (char_length(email) BETWEEN 3 AND 254),
        created_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await queryRunner.query(`
      CREATE TABLE waitlist_entry (
        id bigint CONSTRAINT waitlist_entry_pkey PRIMARY KEY CHECK (id > 0 AND id < 281474976710656),
        subscriber_id bigint NOT NULL REFERENCES subscriber (id),
        step smallint NOT NULL DEFAULT 1 CHECK (step BETWEEN 1 AND 2),
        completed_at timestamptz,
        selected_offers text[] CHECK (cardinality(selected_offers) <= 16),
        first_name text CHECK (char_length(first_name) <= 100),
        last_name text CHECK (char_length(last_name) <= 100),
        zip_code text CHECK (char_length(zip_code) <= 10),
        user_agent text CHECK (char_length(user_agent) <= 512),
        language text CHECK (char_length(language) <= 64),
        network_address cidr CHECK (masklen(network_address) <= CASE family(network_address) WHEN 4 THEN 24 ELSE 48 END),
        notice_source text CHECK (char_length(notice_source) <= 100),
        notice_timestamp timestamptz,
        notice_received_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT waitlist_entry_notice_is_whole CHECK (
          num_nonnulls(notice_source, notice_timestamp, notice_received_at) IN (0, 3)
        )
      )
    `);
    await queryRunner.query('CREATE INDEX waitlist_entry_subscriber_id_idx ON waitlist_entry (subscriber_id)');
    await queryRunner.query(`
      CREATE TABLE emergency_notice (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
        source text NOT NULL CHECK (char_length(source) <= 100),
        client_timestamp timestamptz NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await queryRunner.query(`
      CREATE UNIQUE INDEX emergency_notice_email_day_key
      ON emergency_notice (email, ((received_at AT TIME ZONE 'UTC')::date))
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE emergency_notice, waitlist_entry, subscriber');
  }
}
