#!/bin/sh
# Deploys the site to the swarm that this machine manages, or applies changed settings, versions and secrets.
#   deploy/swarm/deploy.sh [--name daybook] [options of docker stack deploy]
# Settings come from .env and the environment, and secrets from SECRETS_FOLDER, as for Compose.
#   --name NAME   name of the stack, by default daybook
set -eu
cd "$(dirname "$0")/../.."
name=daybook
case ${1:-} in
  -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' deploy/swarm/deploy.sh && exit ;;
  --name) name=${2:?"--name needs a name. See: deploy/swarm/deploy.sh --help"} && shift 2 ;;
esac
if docker compose version > /dev/null 2>&1; then program='docker compose'; else program=docker-compose; fi
compose() { COMPOSE_PROFILES='' COMPOSE_PROJECT_NAME=$name $program --file docker-compose.yml "$@"; }

# What the service `secrets` does in the compose stack.
service=$(compose config secrets)
value() { printf '%s\n' "$service" | sed -n "s/^ *$1 //p"; }
folder=$(value source: | head -n 1)
mkdir -p "$folder"
# shellcheck disable=SC2046
REQUIRED=$(value REQUIRED:) sh deploy/secrets.sh "$folder" $(value - | grep ^mf-)
# Compose allows these to be missing, or empty.
[ -e "$folder/readers/backup/pgbackrest.conf" ] || install -m 644 deploy/backup/pgbackrest.conf "$folder/readers/backup"
touch "$folder/readers/backup/backup-sftp-key"
for file in "$folder"/readers/*/*; do [ -s "$file" ] || echo > "$file"; done

# `docker stack deploy` rejects some numbers of Compose. Secrets and configs can't change, so a hash becomes part of their name.
stack=$(compose --file deploy/swarm/stack.yml config)
printf '%s\n' "$stack" |
  sed -E '/^name: /d; s/^( +(published|size): )"([0-9]+)"$/\1\3/; s/^( +cpus: )([0-9.]+)$/\1"\2"/' |
  awk -v stack="$name" '
    /^[^ ]/ { named = /^(secrets|configs):/ }
    named && /^  [^ ]/ { key = $1; sub(":", "", key) }
    named && /^    name: / { next }
    named && /^    file: / {
      ("sha256sum < \"" substr($0, 11) "\"") | getline hash
      print "    name: " stack "_" key "-" substr(hash, 1, 12)
    }
    { print }' |
  docker stack deploy --compose-file - --prune "$@" "$name"
