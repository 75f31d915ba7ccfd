#!/bin/sh
# Deploys the site to the swarm that this machine manages, from docker-compose.yml and stack.yml:
#   deploy/swarm/deploy.sh [--name daybook] [options of docker stack deploy]
# Settings come from .env and the environment, as for Compose. Files that SECRETS_FOLDER lacks and that can be made are
# made: passwords, tokens, keys of the teams, and URLs of the stack's own database. Run it again after each change.
#   --name NAME   name of the stack, by default daybook
#   --help        this text
# For example: deploy/swarm/deploy.sh --resolve-image never    # with images that are on each node, without a registry
# More: deploy/swarm/README.md, and docker stack deploy --help
set -eu
cd "$(dirname "$0")/../.."
name=daybook
case ${1:-} in
  -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' deploy/swarm/deploy.sh; exit ;;
  --name)
    [ -n "${2:-}" ] || { echo 'deploy.sh: --name needs a name. See: deploy/swarm/deploy.sh --help' >&2; exit 2; }
    name=$2
    shift 2
    ;;
esac

# setting NAME: prints it from the environment or .env, whose values may be quoted.
setting() {
  eval "value=\${$1:-}"
  [ -n "$value" ] || value=$(sed -n "s/^$1=[\"']\{0,1\}\([^\"']*\).*/\1/p" .env 2> /dev/null | tail -n 1)
  printf %s "$value"
}

# make NAME TEXT: makes a file of SECRETS_FOLDER, unless it exists.
folder=$(setting SECRETS_FOLDER)
make() {
  [ -e "$folder/$1" ] || {
    (umask 077 && printf '%s\n' "$2" > "$folder/$1")
    echo "Made $folder/$1."
  }
}
random() { od -An -v -tx1 -N 32 /dev/urandom | tr -d ' \n'; }
if [ -n "$folder" ] && [ -s "$folder/postgres-password" ]; then
  make backend-password "$(random)"
  make shell-password "$(random)"
  make metrics-token "$(random)"
  make operator-tokens ''
  # For a database elsewhere, its operator makes all three.
  make database-url "postgres://backend:$(cat "$folder/backend-password")@postgres:5432/daybook"
  make releases-database-url "postgres://shell:$(cat "$folder/shell-password")@postgres:5432/daybook"
  make database-owner-url "postgres://daybook:$(cat "$folder/postgres-password")@postgres:5432/daybook"

  # The public keys of the teams: those of the file team-keys, if there is one, and those of the containers' private keys.
  TEAM_KEYS=$({ [ ! -e "$folder/team-keys" ] || cat "$folder/team-keys"; } | tr -d ' \t\r' | tr '\n' ,)
  for remote in $(sed -n 's/.*"${SECRETS_FOLDER}\/\(mf-.*\)\.pem".*/\1/p' deploy/swarm/stack.yml); do
    # A file of one line break: its team releases it from elsewhere.
    case ,$TEAM_KEYS in *",$remote:"*) make "$remote.pem" '' ;; esac
    make "$remote.pem" "$(openssl genpkey -algorithm ed25519)"
    key=$(openssl pkey -in "$folder/$remote.pem" -pubout -outform DER 2> /dev/null | tail -c 32 | base64 | tr '+/' '-_' | tr -d '=\n')
    [ -z "$key" ] || TEAM_KEYS=$TEAM_KEYS,$remote:$key
  done
  export TEAM_KEYS
fi

if docker compose version > /dev/null 2>&1; then compose='docker compose'; else compose=docker-compose; fi
secrets_version=$(setting SECRETS_VERSION)
roles_version=$(cat deploy/postgres/* | sha256sum | cut -c 1-12)

# Converts Compose's output to what `docker stack deploy` accepts: no project name, integers without quotes, CPUs with
# quotes; and appends the versions of secrets and configurations to their names. Without the profiles of .env, whose services
# are for a stack without swarm.
COMPOSE_PROFILES='' COMPOSE_PROJECT_NAME=$name $compose --file docker-compose.yml --file deploy/swarm/stack.yml config |
  sed -E "/^name: /d; s/^( +(published|size): )\"([0-9]+)\"\$/\1\3/; s/^( +cpus: )([0-9.]+)\$/\1\"\2\"/
    /^secrets:/,/^[^ ]/s/^    name: .*/&-${secrets_version:-1}/; /^configs:/,/^[^ ]/s/^    name: .*/&-$roles_version/" |
  docker stack deploy --compose-file - --prune "$@" "$name"
