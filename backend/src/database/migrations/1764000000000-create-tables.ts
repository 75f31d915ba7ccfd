import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first schema. Addresses are indexed as `sameEmail` compares them: `lower(… COLLATE "C")`. */
export class CreateTables1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE subscriber (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
        created_at timestamptz NOT NULL DEFAULT now(),
        unsubscribed_at timestamptz
      )
    `);
    await queryRunner.query('CREATE UNIQUE INDEX subscriber_email_key ON subscriber (lower(email COLLATE "C"))');
    await queryRunner.query(`
      CREATE TABLE waitlist_entry (
        id bigint CONSTRAINT waitlist_entry_pkey PRIMARY KEY CHECK (id > 0 AND id < 281474976710656),
        subscriber_id bigint NOT NULL REFERENCES subscriber (id),
        suspected boolean NOT NULL DEFAULT false,
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
    // For retention, which would scan the table without them.
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_client_info_idx ON waitlist_entry (created_at)
      WHERE num_nonnulls(user_agent, language, network_address) > 0
    `);
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_unfinished_idx ON waitlist_entry (created_at)
      WHERE num_nonnulls(completed_at, notice_received_at) = 0
    `);
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
      ON emergency_notice (lower(email COLLATE "C"), ((received_at AT TIME ZONE 'UTC')::date))
    `);
    await queryRunner.query('CREATE INDEX emergency_notice_received_at_idx ON emergency_notice (received_at)');
    await queryRunner.query(`
      CREATE TABLE outbox_event (
        id uuid PRIMARY KEY DEFAULT uuidv7(),
        type text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'dead')),
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        ended_at timestamptz
      )
    `);
    // Partial: workers read pending events only, which stay few however many were delivered.
    await queryRunner.query(`
      CREATE INDEX outbox_event_pending_idx ON outbox_event (next_attempt_at) WHERE status = 'pending'
    `);
    await queryRunner.query(`
      CREATE INDEX outbox_event_email_idx ON outbox_event (lower((data->>'email') COLLATE "C"), id)
    `);
    // Volatile, the default: sees what was committed until it is called. In a statement that has waited for a lock, a subquery
    // would see what was committed before the statement.
    await queryRunner.query(`
      CREATE FUNCTION events_of_day(type text, mailbox text, alike jsonb) RETURNS bigint LANGUAGE sql AS $$
        SELECT count(*) FROM outbox_event AS event
        WHERE lower((data->>'email') COLLATE "C") = $2 AND event.type = $1 AND data @> $3 AND created_at > now() - interval '1 day'
      $$
    `);
    await queryRunner.query(`
      CREATE TABLE privacy_request (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        reference text NOT NULL CONSTRAINT privacy_request_reference_key UNIQUE CHECK (char_length(reference) = 14),
        kind text NOT NULL CHECK (char_length(kind) <= 40),
        email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
        fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'object'),
        page_version text NOT NULL CHECK (char_length(page_version) <= 100),
        global_privacy_control boolean NOT NULL,
        received_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL CHECK (due_at > received_at),
        done_at timestamptz
      )
    `);
    await queryRunner.query('CREATE INDEX privacy_request_email_idx ON privacy_request (lower(email COLLATE "C"))');
    await queryRunner.query('CREATE INDEX privacy_request_open_idx ON privacy_request (due_at) WHERE done_at IS NULL');
    // The time from which retention counts.
    await queryRunner.query('CREATE INDEX privacy_request_ended_idx ON privacy_request ((GREATEST(due_at, done_at)))');
    await queryRunner.query(`
      CREATE TABLE forgotten_count (
        month date NOT NULL CHECK (month = date_trunc('month', month)),
        status text NOT NULL,
        count integer NOT NULL CHECK (count > 0),
        CONSTRAINT forgotten_count_pkey PRIMARY KEY (month, status)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        operator text NOT NULL CHECK (char_length(operator) BETWEEN 1 AND 60),
        action text NOT NULL,
        details jsonb NOT NULL,
        subjects text[] NOT NULL DEFAULT '{}'
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
    // Default privileges (roles.sql) are the same for all tables.
    await queryRunner.query(`
      DO $$
      DECLARE role regrole;
      BEGIN
        FOR role IN
          SELECT DISTINCT grantee::regrole FROM pg_class, aclexplode(relacl)
          WHERE pg_class.oid = 'migrations'::regclass AND grantee NOT IN (0, relowner)
        LOOP
          EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON migrations FROM %s', role);
          EXECUTE format('REVOKE UPDATE, DELETE ON audit_log FROM %s', role);
        END LOOP;
      END $$
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE subscriber, waitlist_entry, emergency_notice, outbox_event, privacy_request, forgotten_count, audit_log',
    );
    await queryRunner.query('DROP FUNCTION reject_change_of_log, events_of_day');
  }
}
