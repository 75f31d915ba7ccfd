#!/bin/sh
# Sets the password of the database role to the one in the secrets.
set -eu
psql --quiet --username=daybook --dbname=daybook --set=ON_ERROR_STOP=1 \
  --set=password="$(cat /run/secrets/postgres/postgres-password)" <<'SQL'
ALTER ROLE daybook PASSWORD :'password';
SQL
echo 'The password is set. Now: docker compose restart backend shell, or docker compose up -d'
