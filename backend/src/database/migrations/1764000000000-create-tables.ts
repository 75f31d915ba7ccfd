import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates a role unless roles.sql has. Roles belong to the server, so migrators of two databases may collide. */
const createRole = (name: string): string => `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name} LOGIN; END IF;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
      RAISE insufficient_privilege USING MESSAGE = format(
        'there is no role ${name}, and %I must not create it. As a role that may, run: CREATE ROLE ${name} LOGIN',
        current_user
      );
  END $$
`;

/** Emails are indexed as `sameEmail` compares them: `lower(… COLLATE "C")`. */
const tables = `
  CREATE TABLE subscriber (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email varchar(254) NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    unsubscribed_at timestamptz
  );
  CREATE UNIQUE INDEX subscriber_email_key ON subscriber (lower(email COLLATE "C"));

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
  );
  CREATE INDEX waitlist_entry_subscriber_id_idx ON waitlist_entry (subscriber_id);
  -- Two indexes for retention.
  CREATE INDEX waitlist_entry_client_info_idx ON waitlist_entry (created_at)
    WHERE num_nonnulls(user_agent, language, network) > 0;
  CREATE INDEX waitlist_entry_unfinished_idx ON waitlist_entry (created_at)
    WHERE num_nonnulls(completed_at, notice_received_at) = 0;

  CREATE TABLE emergency_notice (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email varchar(254) NOT NULL,
    source varchar(100) NOT NULL,
    client_timestamp timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX emergency_notice_email_day_key
    ON emergency_notice (lower(email COLLATE "C"), ((received_at AT TIME ZONE 'UTC')::date));
  CREATE INDEX emergency_notice_received_at_idx ON emergency_notice (received_at);

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
  );
  CREATE INDEX outbox_event_pending_idx ON outbox_event (next_attempt_at) WHERE status = 'pending';
  CREATE INDEX outbox_event_email_idx ON outbox_event (lower((data->>'email') COLLATE "C"), id);

  -- Volatile, the default: in a statement that waited for a lock, a subquery would not see what was committed meanwhile.
  CREATE FUNCTION events_of_day(type text, mailbox text, alike jsonb) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM outbox_event AS event
    WHERE lower((data->>'email') COLLATE "C") = $2 AND event.type = $1 AND data @> $3 AND created_at > now() - interval '1 day'
  $$;

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
  );
  CREATE INDEX privacy_request_email_idx ON privacy_request (lower(email COLLATE "C"));
  -- Equal open requests are one. Hashed, because comments exceed the size of an index row.
  CREATE UNIQUE INDEX privacy_request_open_key ON privacy_request (kind, lower(email COLLATE "C"), md5(fields::text))
    WHERE done_at IS NULL;
  CREATE INDEX privacy_request_open_idx ON privacy_request (due_at) WHERE done_at IS NULL;
  CREATE INDEX privacy_request_ended_idx ON privacy_request ((GREATEST(due_at, done_at)));

  CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    operator varchar(60) NOT NULL,
    action text NOT NULL,
    details jsonb NOT NULL,
    subjects text[] NOT NULL DEFAULT '{}'
  );
  CREATE FUNCTION reject_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION reject_change_of_log();

  -- Default privileges (roles.sql) are the same for all tables.
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
`;

/** SQL: a completion notice counts, because its visitor saw the thank-you page. */
const isCompleted = 'num_nonnulls(completed_at, notice_received_at) > 0';

/** SQL of a column of the newest entry that has a value in it. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY entry.created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** docs/subscribers.md describes the views. Those of the schema `reports` contain no personal data. */
const views = `
  CREATE VIEW subscriber_export AS
    SELECT email,
      CASE WHEN unsubscribed_at IS NOT NULL THEN 'unsubscribed' WHEN bool_or(${isCompleted}) THEN 'completed'
        WHEN bool_and(suspected) THEN 'suspected' ELSE 'unfinished' END AS status,
      min(entry.created_at) AS signed_up_at,
      max(entry.created_at) AS last_signed_up_at,
      min(LEAST(completed_at, notice_received_at)) AS completed_at,
      unsubscribed_at,
      count(entry.id) AS signups,
      ${newest('first_name')} AS first_name,
      ${newest('last_name')} AS last_name,
      ${newest('zip_code')} AS zip_code,
      ${newest('to_jsonb(selected_offers)')} AS selected_offers
    FROM subscriber LEFT JOIN waitlist_entry AS entry ON entry.subscriber_id = subscriber.id
    GROUP BY subscriber.id ORDER BY subscriber.id;
  CREATE SCHEMA reports;
  CREATE VIEW reports.subscribers AS SELECT status, count(*) AS subscribers FROM subscriber_export GROUP BY status;
  CREATE VIEW reports.signups AS
    SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS signups,
      count(*) FILTER (WHERE ${isCompleted}) AS completed,
      count(*) FILTER (WHERE NOT ${isCompleted} AND NOT suspected) AS unfinished,
      count(*) FILTER (WHERE NOT ${isCompleted} AND suspected) AS suspected
    FROM waitlist_entry GROUP BY day ORDER BY day DESC;
  CREATE VIEW reports.events AS
    SELECT id, type, status, created_at, attempts, next_attempt_at, ended_at, last_error FROM outbox_event ORDER BY id DESC;
  CREATE VIEW reports.privacy_requests AS
    SELECT reference, kind, received_at, due_at, done_at,
      CASE WHEN done_at IS NOT NULL THEN 'done' WHEN due_at < now() THEN 'overdue' ELSE 'open' END AS status
    FROM privacy_request ORDER BY done_at IS NOT NULL, due_at;
  CREATE VIEW reports.audit_log AS SELECT at, operator, action, details FROM public.audit_log ORDER BY id DESC;
  GRANT USAGE ON SCHEMA reports TO reports;
  GRANT SELECT ON ALL TABLES IN SCHEMA reports TO reports
`;

/** Tables of the shell server, whose role can't rewrite the log: rows of `state` stay. */
const releases = `
  CREATE SCHEMA releases;
  CREATE TABLE releases.blob (hash text PRIMARY KEY, content bytea NOT NULL);
  -- The manifest is release.json, byte for byte; the shell's own files are releases of \`shell\`.
  CREATE TABLE releases.release (
    remote text NOT NULL,
    version text NOT NULL,
    manifest text NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (remote, version)
  );
  -- Keeps a blob alive.
  CREATE TABLE releases.file (
    remote text NOT NULL,
    version text NOT NULL,
    hash text NOT NULL REFERENCES releases.blob,
    PRIMARY KEY (remote, version, hash),
    FOREIGN KEY (remote, version) REFERENCES releases.release ON DELETE CASCADE
  );
  CREATE INDEX ON releases.file (hash);
  -- The last row of a remote is its state. The primary key is the compare-and-set.
  CREATE TABLE releases.state (
    remote text NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    action text NOT NULL CHECK (action IN ('publish', 'activate', 'rollback', 'canary', 'end', 'hold', 'lift')),
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
  );
  GRANT USAGE ON SCHEMA releases TO shell;
  GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA releases TO shell;
  GRANT DELETE ON releases.release, releases.file, releases.blob TO shell
`;

/** The first schema. */
export class CreateTables1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [createRole('reports'), createRole('shell'), tables, views, releases])
      await queryRunner.query(statements);
  }

  /** Leaves the roles, which belong to the server. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP SCHEMA releases, reports CASCADE;
      DROP VIEW subscriber_export;
      DROP TABLE subscriber, waitlist_entry, emergency_notice, outbox_event, privacy_request, audit_log;
      DROP FUNCTION reject_change_of_log, events_of_day
    `);
  }
}
