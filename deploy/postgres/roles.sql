-- The roles that the servers log in as; they own nothing. Idempotent. Run it as the role that runs the migrations, which owns
-- the tables; then set their passwords: docs/database.md.

-- Of the backend: reads and writes rows in the schema public, only reads migrations, and only adds to the audit log.
DO $$
BEGIN
  CREATE ROLE backend;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
ALTER ROLE backend LOGIN;
-- The backend's statements need these, whatever the settings of the database are.
ALTER ROLE backend SET DateStyle = 'ISO';
ALTER ROLE backend SET search_path = public;
ALTER ROLE backend SET default_transaction_isolation = 'read committed';
GRANT USAGE ON SCHEMA public TO backend;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO backend;
DO $$
BEGIN
  IF to_regclass('public.audit_log') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON public.migrations FROM backend;
    REVOKE UPDATE, DELETE ON public.audit_log FROM backend;
  END IF;
END
$$;
-- Tables of later migrations, which take away what this grants too much.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO backend;

-- Of the shell server: migrations grant each of its privileges, in the schema releases.
DO $$
BEGIN
  CREATE ROLE shell LOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

-- Of operators and dashboards: reads the views of the schema reports, which contain no personal data.
DO $$
BEGIN
  CREATE ROLE reports LOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
