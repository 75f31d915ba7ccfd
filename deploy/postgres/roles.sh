#!/bin/sh
# Creates the roles of the stack's database, and sets their passwords, that of its owner included, to those in the secrets.
# Runs at each `docker compose up`, so that a new secret, a restored database and a new version need no other command.
# Connects over the database's socket, which needs no password.
set -eu
# Read by psql: the arguments of a process are visible to all users of the machine.
{
  cat <<'SQL'
\set password `cat "$POSTGRES_PASSWORD_FILE"`
ALTER ROLE daybook PASSWORD :'password';
SQL
  cat /roles.sql
  cat <<'SQL'
\set password `cat "$BACKEND_PASSWORD_FILE"`
ALTER ROLE backend PASSWORD :'password';
\set password `cat "$SHELL_PASSWORD_FILE"`
ALTER ROLE shell PASSWORD :'password';
SQL
  # For postgres-exporter: reads statistics only, no rows.
  [ -z "${MONITORING_PASSWORD_FILE:-}" ] || cat <<'SQL'
\set password `cat "$MONITORING_PASSWORD_FILE"`
SELECT 'CREATE ROLE monitoring' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'monitoring') \gexec
ALTER ROLE monitoring LOGIN CONNECTION LIMIT 3 PASSWORD :'password';
GRANT pg_monitor TO monitoring;
SQL
  # For Grafana.
  [ -z "${REPORTS_PASSWORD_FILE:-}" ] || cat <<'SQL'
\set password `cat "$REPORTS_PASSWORD_FILE"`
ALTER ROLE reports PASSWORD :'password';
SQL
} | PGOPTIONS=--client-min-messages=warning psql --quiet --username=daybook --dbname=daybook --set=ON_ERROR_STOP=1
echo 'The roles of the database have their privileges and passwords.'
