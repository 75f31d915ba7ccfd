#!/bin/sh
# Gives the database's role the password that is in the secrets now.
set -eu
psql --quiet --username=daybook --dbname=daybook --set=ON_ERROR_STOP=1 \
  --set=password="$(cat /run/secrets/postgres/postgres-password)" <<'SQL'
ALTER ROLE daybook PASSWORD :'password';
SQL
echo 'The password is set. Now: docker compose restart backend'
