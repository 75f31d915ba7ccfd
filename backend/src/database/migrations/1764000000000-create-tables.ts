import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first schema. Emails are indexed as `sameEmail` compares them: `lower(… COLLATE "C")`. */
export class CreateTables1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE subscriber (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email varchar(254) NOT NULL,
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
        first_name varchar(100),
        last_name varchar(100),
        zip_code varchar(10),
        user_agent varchar(512),
        language varchar(64),
        network cidr CHECK (masklen(network) <= CASE family(network) WHEN 4 THEN 24 ELSE 48 END),
        notice_source varchar(100),
        notice_timestamp timestamptz,
        notice_received_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT waitlist_entry_notice_check CHECK (
          num_nonnulls(notice_source, notice_timestamp, notice_received_at) IN (0, 3)
        )
      )
    `);
    await queryRunner.query('CREATE INDEX waitlist_entry_subscriber_id_idx ON waitlist_entry (subscriber_id)');
    // For retention, which would scan the table without them.
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_client_info_idx ON waitlist_entry (created_at)
      WHERE num_nonnulls(user_agent, language, network) > 0
    `);
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_unfinished_idx ON waitlist_entry (created_at)
      WHERE num_nonnulls(completed_at, notice_received_at) = 0
    `);
    await queryRunner.query(`
      CREATE TABLE emergency_notice (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email varchar(254) NOT NULL,
        source varchar(100) NOT NULL,
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
        reference varchar(14) NOT NULL CONSTRAINT privacy_request_reference_key UNIQUE,
        kind varchar(40) NOT NULL,
        email varchar(254) NOT NULL,
        fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'object'),
        page_version varchar(100) NOT NULL,
        global_privacy_control boolean NOT NULL,
        received_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        done_at timestamptz,
        CONSTRAINT privacy_request_due_at_check CHECK (due_at > received_at)
      )
    `);
    await queryRunner.query('CREATE INDEX privacy_request_email_idx ON privacy_request (lower(email COLLATE "C"))');
    // Equal open requests are one. Hashed, because comments exceed the size of an index row.
    await queryRunner.query(`
      CREATE UNIQUE INDEX privacy_request_open_key ON privacy_request (kind, lower(email COLLATE "C"), md5(fields::text))
      WHERE done_at IS NULL
    `);
    await queryRunner.query('CREATE INDEX privacy_request_open_idx ON privacy_request (due_at) WHERE done_at IS NULL');
    // The time from which retention counts.
    await queryRunner.query('CREATE INDEX privacy_request_ended_idx ON privacy_request ((GREATEST(due_at, done_at)))');
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        operator varchar(60) NOT NULL,
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
      'DROP TABLE subscriber, waitlist_entry, emergency_notice, outbox_event, privacy_request, audit_log',
    );
    await queryRunner.query('DROP FUNCTION reject_change_of_log, events_of_day');
  }
}
