-- The role that the backend logs in as: reads and writes rows in the schema public, and owns nothing. Idempotent. Run it as
-- the role that runs the migrations, which owns the tables; then set a password: docs/operations.md#settings-and-secrets.
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
