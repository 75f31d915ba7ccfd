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
  # For a database elsewhere, its operator makes all three.
  make database-url "postgres://backend:$(cat "$folder/backend-password")@postgres:5432/daybook"
  make releases-database-url "postgres://shell:$(cat "$folder/shell-password")@postgres:5432/daybook"
  make database-owner-url "postgres://daybook:$(cat "$folder/postgres-password")@postgres:5432/daybook"

  # What the shell server gets: the lines of the file tokens, if there is one, and those of the operator and the containers.
  line() { printf '%s %s %s\n' "$1" "$2" "$(tr -d ' \t\r\n' < "$folder/$3" | sha256sum | cut -d ' ' -f 1)"; }
  {
    [ ! -e "$folder/tokens" ] || cat "$folder/tokens"
    line operator '*' operator-token
    for remote in $(sed -n 's/.*"${SECRETS_FOLDER}\/\(mf-.*\)\.token".*/\1/p' deploy/swarm/stack.yml); do
      # An empty line: its team releases it from elsewhere.
      if [ -e "$folder/tokens" ] && awk '{ print $2 }' "$folder/tokens" | tr ',' '\n' | grep -qx "$remote"; then
        make "$remote.token" '' >&2
      fi
      make "$remote.token" "$(random)" >&2
      ! grep -q . "$folder/$remote.token" || line "$remote-container" "$remote" "$remote.token"
    done
  } > "$folder/shell-tokens"
fi

if docker compose version > /dev/null 2>&1; then compose='docker compose'; else compose=docker-compose; fi
secrets_version=$(setting SECRETS_VERSION)
configs_version=$(cat deploy/postgres/* "${folder:-.}/shell-tokens" 2> /dev/null | sha256sum | cut -c 1-12)

# Converts Compose's output to what `docker stack deploy` accepts: no project name, integers without quotes, CPUs with
# quotes; and appends the versions of secrets and configurations to their names. Without the profiles of .env, whose services
# are for a stack without swarm.
COMPOSE_PROFILES='' COMPOSE_PROJECT_NAME=$name $compose --file docker-compose.yml --file deploy/swarm/stack.yml config |
  sed -E "/^name: /d; s/^( +(published|size): )\"([0-9]+)\"\$/\1\3/; s/^( +cpus: )([0-9.]+)\$/\1\"\2\"/
    /^secrets:/,/^[^ ]/s/^    name: .*/&-${secrets_version:-1}/; /^configs:/,/^[^ ]/s/^    name: .*/&-$configs_version/" |
  docker stack deploy --compose-file - --prune "$@" "$name"
