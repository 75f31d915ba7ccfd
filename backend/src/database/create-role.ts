/**
 * Returns SQL that creates a role unless it exists: in most deployments, roles.sql has created it. Roles belong to the server,
 * so migrators of two databases may collide.
 */
export const createRole = (name: string): string => `
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
