#!/bin/sh
# Sets the password of the database role to the one in the secrets.
set -eu
# Read by psql: the arguments of a process are visible to all users of the machine.
psql --quiet --username=daybook --dbname=daybook --set=ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/secrets/postgres/postgres-password`
ALTER ROLE daybook PASSWORD :'password';
SQL
echo 'The password is set. Now: docker compose restart backend shell, or docker compose up -d'
