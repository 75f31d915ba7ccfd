-- The roles that the servers log in as; they own nothing. Idempotent. Run it as the role that runs the migrations, which owns
-- the tables; then set their passwords: docs/operations.md#settings-and-secrets.

-- Of the backend: reads and writes rows in the schema public.
DO $$
BEGIN
  CREATE ROLE backend;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
ALTER ROLE backend LOGIN;
GRANT USAGE ON SCHEMA public TO backend;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO backend;
-- Tables of later migrations.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO backend;

-- Of the shell server: migrations grant each of its privileges, in the schema releases.
DO $$
BEGIN
  CREATE ROLE shell LOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
