#!/bin/sh
# Puts the stack's secrets where its services read them: below /run/secrets, in a volume for each kind of reader.
# Where SECRETS_FOLDER is set they are taken from it, mounted at /given, and have to be there. Where it is not, strong
# ones are made once and kept, so that the site can be tried out without any setting.
set -eu
umask 022

database=/run/secrets/postgres
backend=/run/secrets/backend
operator=/run/secrets/operator
failed=0

command_for() {
  case $1 in
    webhook-secret) echo 'echo "whsec_$(openssl rand -base64 32)"' ;;
    *) echo 'openssl rand -hex 32' ;;
  esac
}

make() {
  case $1 in
    webhook-secret) printf 'whsec_%s\n' "$(head -c 32 /dev/urandom | base64)" ;;
    *) head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' ;;
  esac
}

is_given() { [ -n "${SECRETS_FOLDER:-}" ] && grep -q '[^[:space:]]' "/given/$1" 2>/dev/null; }
given() { tr -d ' \t\r\n' < "/given/$1"; }

refuse() {
  echo "SECRETS_FOLDER: $*" >&2
  failed=1
}

# keep NAME FOLDER: the given secret; in a try-out the one made before, else a new one.
keep() {
  file=$2/$1
  if is_given "$1"; then
    given "$1" > "$file.new"
    if [ "$1" = postgres-password ] && [ -s "$file" ] && ! cmp -s "$file.new" "$file"; then
      echo 'postgres-password has changed. Give it to the database too: docker compose exec postgres set-password'
    fi
    mv "$file.new" "$file"
  elif [ -n "${SECRETS_FOLDER:-}" ] && [ "${3:-required}" = required ]; then
    refuse "$SECRETS_FOLDER has no $1, or an empty one. Make it there: $(command_for "$1") > $1"
  elif [ ! -s "$file" ]; then
    make "$1" > "$file.new"
    mv "$file.new" "$file"
  fi
}

keep postgres-password "$database"
keep cookie-secret "$backend"
keep operator-token "$operator"
if [ -n "${WEBHOOK_URL:-}" ]; then keep webhook-secret "$backend"; else keep webhook-secret "$backend" optional; fi

if is_given postgres-password && ! given postgres-password | grep -qE '^[A-Za-z0-9._~-]+$'; then
  refuse 'postgres-password may have letters, digits and . _ ~ - alone, for it becomes part of an address.'
fi
[ "$failed" = 0 ] || exit 1

# A database elsewhere is given by its whole address; else it is that of this stack.
if is_given database-url; then
  given database-url > "$backend/database-url"
else
  printf 'postgres://daybook:%s@postgres:5432/daybook\n' "$(cat "$database/postgres-password")" > "$backend/database-url"
fi

if [ -z "${SECRETS_FOLDER:-}" ]; then
  echo 'This is a try-out: its secrets were made here, and are kept in volumes of this stack.'
  echo 'For a site that lasts, set PUBLIC_URL and SECRETS_FOLDER: .env.example tells how.'
fi
