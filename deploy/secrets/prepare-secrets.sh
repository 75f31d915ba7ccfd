#!/bin/sh
# Puts the stack's secrets where its services read them: below /run/secrets, in a volume for each kind of reader.
# Where SECRETS_FOLDER is set they are taken from it, mounted at /given, and have to be there. Where it is not, strong
# ones are made once and kept, so that the site can be tried out without any setting.
set -eu
umask 022

database=/run/secrets/postgres
backend=/run/secrets/backend
operator=/run/secrets/operator

is_given() { grep -q '[^[:space:]]' "/given/$1" 2>/dev/null; }
given() { tr -d ' \t\r\n' < "/given/$1"; }

refused=no
refuse() {
  echo "SECRETS_FOLDER: $*" >&2
  refused=yes
}

# need NAME COMMAND: the folder must have this secret, which the command makes.
need() {
  is_given "$1" || refuse "$SECRETS_FOLDER has no $1, or an empty one. Make it there: $2 > $1"
}

# Writes aside first, so that nobody reads half a secret.
write() {
  cat > "$1.new"
  mv "$1.new" "$1"
}

# make_once FILE PREFIX ENCODING: 32 random bytes, unless the file is there.
make_once() {
  [ -s "$1" ] && return
  { printf '%s' "$2"; head -c 32 /dev/urandom | $3; } | write "$1"
}
as_hex() { od -An -v -tx1 | tr -d ' \n'; }

if [ -n "${SECRETS_FOLDER:-}" ]; then
  need postgres-password 'openssl rand -hex 32'
  need cookie-secret 'openssl rand -hex 32'
  need operator-token 'openssl rand -hex 32'
  need webhook-secret 'echo "whsec_$(openssl rand -base64 32)"'
  if is_given postgres-password && ! given postgres-password | grep -qE '^[A-Za-z0-9._~-]+$'; then
    refuse 'postgres-password may have letters, digits and . _ ~ - alone, for it becomes part of an address.'
  fi
  [ $refused = no ] || exit 1

  password=$database/postgres-password
  if [ -s "$password" ] && [ "$(cat "$password")" != "$(given postgres-password)" ]; then
    echo 'postgres-password has changed. Give it to the database, too: docker compose exec postgres set-password'
  fi
  given postgres-password | write "$password"
  given cookie-secret | write "$backend/cookie-secret"
  given webhook-secret | write "$backend/webhook-secret"
  given operator-token | write "$operator/operator-token"
else
  make_once "$database/postgres-password" '' as_hex
  make_once "$backend/cookie-secret" '' as_hex
  make_once "$backend/webhook-secret" whsec_ base64
  make_once "$operator/operator-token" '' as_hex
  echo 'This is a try-out: its secrets were made here, and are kept in volumes of this stack.'
  echo 'For a site that lasts, set PUBLIC_URL and SECRETS_FOLDER: .env.example tells how.'
fi

# Optional: named tokens of operators, copied as they are: names may have blanks.
{ ! is_given operator-tokens || cat /given/operator-tokens; } | write "$operator/operator-tokens"

# A database elsewhere is given by its whole address; else it is that of this stack.
if [ -n "${SECRETS_FOLDER:-}" ] && is_given database-url; then
  given database-url | write "$backend/database-url"
else
  printf 'postgres://daybook:%s@postgres:5432/daybook' "$(cat "$database/postgres-password")" |
    write "$backend/database-url"
fi
