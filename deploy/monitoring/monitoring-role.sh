#!/bin/sh
# Creates the role that postgres-exporter reads statistics with, and sets its password.
set -eu
PGPASSWORD=$(cat /run/secrets/postgres/postgres-password)
export PGPASSWORD
# Read by psql: the arguments of a process are visible to all users of the machine.
psql --quiet --host=postgres --username=daybook --dbname=daybook --set=ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/secrets/monitoring/postgres-password`
SELECT 'CREATE ROLE monitoring' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'monitoring') \gexec
ALTER ROLE monitoring LOGIN CONNECTION LIMIT 3 PASSWORD :'password';
GRANT pg_monitor TO monitoring;
SQL
