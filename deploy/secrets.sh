#!/bin/sh
# Writes what each part of the stack may read of the secrets: secrets.sh FOLDER [REMOTE...]
# FOLDER has a file for each secret. Missing ones are made, except those that REQUIRED names. FOLDER/readers/<part> gets copies,
# and what is derived from them: database URLs, and the list of tokens. Run it again after a change.
set -eu
cd "$1" && shift
umask 077
fail() { echo "SECRETS_FOLDER: $*" >&2; exit 1; }
value() { tr -d ' \t\r\n' < "$1"; }
as_hex() { od -An -v -tx1 | tr -d ' \n'; }
# make NAME [PREFIX ENCODING]: makes a secret of 32 random bytes, unless there is one.
make() {
  if [ ! -s "$1" ]; then
    case " ${REQUIRED:-} " in *" $1 "*) fail "$1 is missing. Put back your copy; for a new stack: sh deploy/secrets.sh <folder>" ;; esac
    { printf %s "${2:-}"; head -c 32 /dev/urandom | ${3:-as_hex}; } > "$1.new" && mv "$1.new" "$1"
  fi
  [ "$(value "$1" | wc -c)" -ge 24 ] || fail "$1 has fewer than 24 characters. Make another: openssl rand -hex 32 > $1"
}
write() { # PART/NAME
  mkdir -p "readers/${1%/*}" && chmod 755 "readers/${1%/*}"
  cat > "readers/$1.new" && chmod 644 "readers/$1.new" && mv "readers/$1.new" "readers/$1"
}
give() { # PART NAME...
  part=$1 && shift
  for name; do if [ -e "$name" ]; then write "$part/$name" < "$name"; else rm -f "readers/$part/$name"; fi; done
}
login() { printf 'postgres://%s:%s@postgres:5432/daybook' "$1" "$(value "$2-password")" | write "$3"; }
line() { echo "$1 $2 $(value "$3" | sha256sum | cut -d ' ' -f 1)"; }

for name in postgres backend shell monitoring reports grafana; do
  make $name-password
  ! value $name-password | grep -q '[^A-Za-z0-9._~-]' || fail "$name-password may have only letters, digits and . _ ~ -"
done
for name in cookie-secret audit-key operator-token metrics-token backup-passphrase; do make $name; done
make webhook-secret whsec_ base64
# A remote whose file is empty is released by its team from elsewhere.
for remote; do { [ -e "$remote.token" ] && [ ! -s "$remote.token" ]; } || make "$remote.token"; done

give postgres postgres-password backend-password shell-password monitoring-password reports-password
give grafana grafana-password reports-password
give prometheus metrics-token && give postgres-exporter monitoring-password && give alertmanager alertmanager-secret
give receiver webhook-secret listmonk-token
give backup backup-passphrase pgbackrest.conf backup-sftp-key
give backend cookie-secret audit-key webhook-secret metrics-token database-url
give shell operator-token metrics-token releases-database-url
if [ -e database-url ]; then
  for url in database-url database-owner-url; do [ ! -e $url ] || write postgres/database-url < $url; done
else
  login backend backend backend/database-url
  login shell shell shell/releases-database-url
  login daybook postgres postgres/database-url
fi
{
  [ ! -e tokens ] || { cat tokens; echo; }
  line operator '*' operator-token
  for remote; do
    write "$remote/release-token" < "$remote.token"
    [ ! -s "$remote.token" ] || line "$remote-container" "$remote" "$remote.token"
  done
} | write shell/tokens
