#!/bin/sh
# Deploys the site to the swarm that this machine manages, from docker-compose.yml and stack.yml; settings come from .env
# and the environment, as for Compose. Run from the root of the repository:
#   deploy/swarm/deploy.sh [--name daybook] [options of docker stack deploy]
set -eu
cd "$(dirname "$0")/../.."
name=daybook
if [ "${1:-}" = --name ]; then
  name=$2
  shift 2
fi

# Secrets folders of earlier versions lack the tokens of named operators.
tokens=${SECRETS_FOLDER:+$SECRETS_FOLDER/operator-tokens}
if [ -n "$tokens" ] && [ ! -e "$tokens" ]; then
  (umask 077 && echo > "$tokens")
  echo "Created an empty $tokens: no operator has a personal token."
fi

if docker compose version > /dev/null 2>&1; then compose='docker compose'; else compose=docker-compose; fi

# Converts Compose's output to what `docker stack deploy` accepts: no project name, integers without quotes, CPUs with
# quotes. Without the profiles of .env, whose services are for a stack without swarm.
COMPOSE_PROFILES='' COMPOSE_PROJECT_NAME=$name $compose --file docker-compose.yml --file deploy/swarm/stack.yml config |
  sed -E '/^name: /d; s/^( +(published|size): )"([0-9]+)"$/\1\3/; s/^( +cpus: )([0-9.]+)$/\1"\2"/' |
  docker stack deploy --compose-file - --prune "$@" "$name"
