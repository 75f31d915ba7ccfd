#!/bin/sh
# Writes the stack's secrets for its services: below /run/secrets, in one volume for each kind of reader.
# If SECRETS_FOLDER is set, copies them from it (mounted at /given) and fails if one is missing. Otherwise generates
# strong ones once and stores them, so that the site can be tried out without any setting.
#   prepare-secrets.sh                         as at each `docker compose up`
#   prepare-secrets.sh [--overlap] SECRET...   the same for deploy/rotate, which changes these. --overlap: a new cookie-secret
#                                              is accepted, and the former one still signs
#   prepare-secrets.sh save | restore | discard   stores a copy of the present files; puts it back; deletes the copy
set -eu
umask 022

discard() { rm -rf /run/secrets/*/.former; }
save() {
  discard
  for volume in /run/secrets/*; do
    mkdir "$volume/.former"
    cp -p "$volume"/* "$volume/.former" 2> /dev/null || true
  done
}
restore() {
  for volume in /run/secrets/*; do
    [ -d "$volume/.former" ] || continue
    rm -f "$volume"/*
    mv "$volume"/.former/* "$volume" 2> /dev/null || true
  done
  discard
}
overlaps=no
case ${1:-} in
  save | restore | discard)
    "$1"
    exit
    ;;
  --overlap)
    overlaps=yes
    shift
    ;;
esac

# Compose mounts configuration with the permissions of the clone, but services run as other users.
find /config -type f ! -perm -044 -exec chmod go+rX {} +

database=/run/secrets/postgres
backend=/run/secrets/backend
shell=/run/secrets/shell
operator=/run/secrets/operator
metrics=/run/secrets/metrics
monitoring=/run/secrets/monitoring
grafana=/run/secrets/grafana
alertmanager=/run/secrets/alertmanager
backup=/run/secrets/backup
receiver=/run/secrets/receiver

is_given() { grep -q '[^[:space:]]' "/given/$1" 2>/dev/null; }
given() { tr -d ' \t\r\n' < "/given/$1"; }

rejected=no
reject() {
  echo "SECRETS_FOLDER: $*" >&2
  rejected=yes
}

# need NAME COMMAND: requires this secret in the folder; COMMAND generates it.
need() {
  if ! is_given "$1"; then
    reject "$1 is missing or empty in $SECRETS_FOLDER. Create it there: $2 > $1"
  elif [ "$(given "$1" | wc -c)" -lt 12 ]; then
    reject "$1 in $SECRETS_FOLDER has fewer than 12 characters, which the servers reject. Make another: $2 > $1"
  fi
}

# Writes to another file first, then renames it: readers never see a partial secret.
write() {
  cat > "$1.new"
  mv "$1.new" "$1"
}

# make_once FILE PREFIX ENCODING: generates 32 random bytes, unless the file exists.
make_once() {
  [ -s "$1" ] && return
  { printf '%s' "$2"; head -c 32 /dev/urandom | $3; } | write "$1"
}
as_hex() { od -An -v -tx1 | tr -d ' \n'; }

# --- Tokens: one for the container of each remote and one for operators; the shell server gets their hashes --------------

# The remotes that have a container.
remotes() { for volume in /run/secrets/mf-*; do [ ! -d "$volume" ] || basename "$volume"; done; }

# Prints the given lines: <name> <remotes> <SHA-256>.
given_tokens() { { ! is_given tokens || cat /given/tokens; } | tr -d '\r' | grep -v '^ *\(#\|$\)' || true; }

check_tokens() {
  if given_tokens | grep -qvE '^[A-Za-z0-9_.@-]+ +([a-z][a-z0-9,-]*|\*) +[0-9a-fA-F]{64} *$'; then
    reject 'tokens has a line that is not <name> <remotes> <SHA-256>, such as: legal-ci mf-legal 9f86d0...'
  fi
}

# line NAME REMOTES FILE: prints the line of the token in a file.
line() { printf '%s %s %s\n' "$1" "$2" "$(tr -d ' \t\r\n' < "$3" | sha256sum | cut -d ' ' -f 1)"; }

# A remote that the given tokens name, without a token of its own in the folder, is released by its team from elsewhere.
write_tokens() {
  {
    given_tokens
    line operator '*' "$operator/operator-token"
    for remote in $(remotes); do
      token=/run/secrets/$remote/release-token
      if is_given "$remote.token"; then
        given "$remote.token" | write "$token"
      elif given_tokens | awk '{ print $2 }' | tr ',' '\n' | grep -qx "$remote"; then
        write "$token" < /dev/null
        echo "$remote: no token is given, so its team releases it from elsewhere." >&2
        continue
      else
        make_once "$token" '' as_hex
      fi
      line "$remote-container" "$remote" "$token"
    done
  } | write "$shell/tokens"
}

# --- All secrets ------------------------------------------------------------------------------------------------------

# store SECRET FILE [CONSEQUENCE]: writes a given secret. States the consequence if that replaces another one.
store() {
  [ -z "${3:-}" ] || [ ! -s "$2" ] || [ "$(cat "$2")" = "$(given "$1")" ] || echo "$1 has changed: $3"
  given "$1" | write "$2"
}

# store_or_make SECRET FILE: the given one, otherwise a generated one.
store_or_make() { if is_given "$1"; then store "$@"; else make_once "$2" '' as_hex; fi; }

if [ -n "${SECRETS_FOLDER:-}" ]; then
  for name in postgres-password cookie-secret audit-key operator-token backup-passphrase; do
    need $name 'openssl rand -hex 32'
  done
  need webhook-secret 'echo "whsec_$(openssl rand -base64 32)"'
  if is_given postgres-password && ! given postgres-password | grep -qE '^[A-Za-z0-9._~-]+$'; then
    reject 'postgres-password may contain only letters, digits and . _ ~ - because it is part of a URL.'
  fi
  if is_given database-url && ! is_given releases-database-url; then
    reject 'releases-database-url is missing: the URL in database-url, with the role shell and its password.'
  fi
  check_tokens
  [ $rejected = no ] || exit 1

  store postgres-password "$database/postgres-password" 'set it in the database, too, by deploy/rotate postgres-password.'
  # With the new one accepted already, each backend can verify what another one signs, while they are replaced one at a time.
  signing=$(cut -d , -f 1 "$backend/cookie-secret" 2> /dev/null || true)
  if [ $overlaps = yes ] && [ -n "$signing" ] && [ "$signing" != "$(given cookie-secret | cut -d , -f 1)" ]; then
    printf '%s,%s' "$signing" "$(given cookie-secret)" | write "$backend/cookie-secret"
    echo 'The former and the new cookie-secret overlap.'
  else
    store cookie-secret "$backend/cookie-secret"
  fi
  store audit-key "$backend/audit-key" 'entries of the audit log from before are found only with the former one.'
  store webhook-secret "$backend/webhook-secret"
  store operator-token "$operator/operator-token"
  store backup-passphrase "$backup/backup-passphrase" \
    'the backups in the repository can be read only with the former one. Put that back, or let the repository start anew elsewhere.'
else
  for secret; do
    case $secret in
      tokens | *.token | metrics-token | grafana-password | alertmanager-secret | listmonk-token | pgbackrest.conf | backup-sftp-key) ;;
      *) reject "is not set, so $secret is generated, and stays. Set it in .env to use your own." ;;
    esac
  done
  check_tokens
  [ $rejected = no ] || exit 1
  for file in "$database/postgres-password" "$backend/cookie-secret" "$backend/audit-key" "$operator/operator-token" \
    "$backup/backup-passphrase"; do
    make_once "$file" '' as_hex
  done
  make_once "$backend/webhook-secret" whsec_ base64
  echo 'No SECRETS_FOLDER is set: using generated secrets, stored in volumes of this stack.'
  echo 'For production, set PUBLIC_URL and SECRETS_FOLDER as described in .env.example.'
fi

write_tokens

# Passwords of database roles that only this stack uses: always generated.
for role in backend shell monitoring reports; do make_once "$database/$role-password" '' as_hex; done
write "$monitoring/postgres-password" < "$database/monitoring-password"
write "$grafana/reports-password" < "$database/reports-password"

# Optional: the token that Prometheus reads the servers' metrics with, and Grafana's first password.
store_or_make metrics-token "$metrics/metrics-token"
store_or_make grafana-password "$grafana/grafana-password"

# Optional: password or token with which Alertmanager sends alerts.
{ ! is_given alertmanager-secret || given alertmanager-secret; } | write "$alertmanager/alertmanager-secret"
# For the profile mail: the webhooks' secret, and listmonk's API user.
write "$receiver/webhook-secret" < "$backend/webhook-secret"
{ ! is_given listmonk-token || given listmonk-token; } | write "$receiver/listmonk-token"
# Optional: pgBackRest's configuration, and what it refers to, such as the private key of SFTP.
for name in pgbackrest.conf backup-sftp-key; do
  rm -f "$backup/$name"
  ! is_given "$name" || write "$backup/$name" < "/given/$name"
done

# Backend and shell server log in as roles that own nothing, the migrations as the owner. An external database is set by full
# URLs; without one for the owner, the migrations use that of the backend. Default: the database of this stack.
if [ -n "${SECRETS_FOLDER:-}" ] && is_given database-url; then
  store database-url "$backend/database-url"
  store releases-database-url "$shell/releases-database-url"
  if is_given database-owner-url; then owner='database-owner-url'; else owner='database-url'; fi
  store "$owner" "$database/database-url"
else
  # login ROLE PASSWORD FILE
  login() { printf 'postgres://%s:%s@postgres:5432/daybook' "$1" "$(cat "$database/$2-password")" | write "$3"; }
  login backend backend "$backend/database-url"
  login shell shell "$shell/releases-database-url"
  login daybook postgres "$database/database-url"
fi
