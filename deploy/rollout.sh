# Replaces containers of the compose stack, one at a time, and goes back to the former ones if a new one does not become
# ready. Sourced by `upgrade` and `rotate`, which set `program`.
#
# Compose itself stops all containers of a service before it starts new ones. So it only creates the new ones here; this
# script starts a new one, waits until it is ready and the edge sends it requests, and then stops a former one. Former
# containers are removed at the end: until then, going back is to start them again, whatever changed in .env, images and
# docker-compose.yml.
# shellcheck shell=sh
set -eu
unset CDPATH

say() { echo "$*"; }
fail() {
  echo "$program: $*" >&2
  exit 1
}
reject() {
  echo "$program: $* See: $program --help" >&2
  exit 2
}

[ -e docker-compose.yml ] || fail "$PWD has no docker-compose.yml: copy it beside deploy/, of the same version."

# Prints the comment at the start of the program's file.
print_help() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$program"; }

# Docker Compose is a plugin of Docker or a separate program.
if docker compose version > /dev/null 2>&1; then
  compose() { docker compose "$@" < /dev/null; }
else
  compose() { docker-compose "$@" < /dev/null; }
fi

# Shows the output of a command only if it fails.
quietly() {
  if ! output=$("$@" 2>&1); then
    printf '%s\n' "$output" >&2
    return 1
  fi
}

# --- Start and end of a rollout ---------------------------------------------------------------------------------------

# A line for each replaced container, the newest first: its service, the new container, the former one.
journal=
# The services in it and their containers, both new and former, as options of `docker compose up`.
created=
is_changing=no

# Overridden: what else is undone.
undo() { :; }

start_rollout() {
  docker info > /dev/null 2>&1 || fail 'the Docker engine cannot be reached: docker info says why.'
  compose version > /dev/null 2>&1 || fail 'Docker Compose 2 is required: docker compose version.'
  # The lock ends with this process and its children. A file would be another one after `git pull`.
  if command -v flock > /dev/null; then
    exec 9< .
    flock --nonblock 9 || fail 'an upgrade or a rotation is running in this folder. Wait until it has ended.'
  fi
  trap end_rollout EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  read_configuration
  [ -n "$(docker ps --quiet --filter "label=com.docker.compose.project=$project")" ] ||
    fail "no part of the project “$project” runs. Start it: docker compose up --build --detach --wait"
}

# Reads what docker-compose.yml, overrides, .env and the environment make of the stack.
read_configuration() {
  configuration=$(compose config) || fail 'the settings or docker-compose.yml cannot be used; see above.'
  hashes=$(compose config --hash '*')
  project=$(printf '%s\n' "$configuration" | sed -n 's/^name: //p')
  services=$(compose config --services)
}

end_rollout() {
  code=$?
  # A second Ctrl-C must not leave half of it.
  trap '' INT TERM HUP
  trap - EXIT
  set +e
  if [ $is_changing = yes ]; then
    say "$program: going back to what ran before …" >&2
    go_back
    undo
    say "$program: nothing has changed: what ran before runs again." >&2
    [ $code != 0 ] || code=1
  fi
  exit $code
}

# Starts what was stopped, then removes what is new.
go_back() {
  printf '%s' "$journal" | while read -r service new former; do
    if is_one_shot "$former"; then
      :
    elif has_overlap "$service"; then
      is_running "$former" || { start "$former" && await_ready "$former" tolerant && await_edge "$service" "$former"; }
      docker stop "$new" > /dev/null
    else
      docker stop "$new" > /dev/null
      start "$former" && await_ready "$former" tolerant
    fi
    case $service in
      mf-*) say "$program: if $service has published its new release, visitors keep it. Back: docker compose exec shell releases rollback $service" >&2 ;;
    esac
    remove "$new"
  done
  for service in $services; do remove_unused "$service"; done
}

# Removes the former containers: there is no way back from here.
finish_rollout() {
  is_changing=no
  printf '%s' "$journal" | while read -r service new former; do remove "$former"; done
  journal=
  created=
}

# --- Services and containers ------------------------------------------------------------------------------------------

# value SERVICE KEY: prints a value of a service's configuration.
value() {
  printf '%s\n' "$configuration" | awk -v service="$1:" -v key="$2:" '
    /^[^ ]/ { in_services = $0 == "services:" }
    /^  [^ ]/ { current = $1 }
    in_services && current == service && $1 == key { gsub(/"/, "", $2); print $2; exit }'
}

has_service() { printf '%s\n' "$services" | grep -qxF "$1"; }

# containers SERVICE [FILTER...]: prints the ids of a service's containers, the oldest last.
containers() {
  of_service="label=com.docker.compose.service=$1"
  shift
  for filter; do
    shift
    set -- "$@" --filter "$filter"
  done
  docker ps --all --quiet --no-trunc --filter "label=com.docker.compose.project=$project" --filter "$of_service" \
    --filter label=com.docker.compose.oneoff=False "$@"
}

inspect() { docker inspect --format "$2" "$1"; }
start() { quietly docker start "$1"; }
# With its volumes without a name, such as the cache of a shell server.
remove() { docker rm --force --volumes "$1" > /dev/null 2>&1 || true; }
is_running() { [ "$(inspect "$1" '{{.State.Running}}' 2> /dev/null)" = true ]; }
is_one_shot() { [ "$(inspect "$1" '{{.HostConfig.RestartPolicy.Name}}')" = no ]; }

# Services of which two versions can serve at the same time. Of all others the former container stops first, since it has the
# port or the volume.
has_overlap() { [ "$1" = backend ] || [ "$1" = shell ]; }

# Prints those of a service's containers that differ from the configuration or the image of now, as Compose decides it.
outdated() {
  now="$(printf '%s\n' "$hashes" | sed -n "s/^$1 //p") $(docker image inspect --format '{{.Id}}' "$(value "$1" image)" 2> /dev/null)"
  labels='{{index .Config.Labels "com.docker.compose.config-hash"}} {{index .Config.Labels "com.docker.compose.image"}}'
  for container in $(containers "$1"); do
    [ "$(inspect "$container" "$labels")" = "$now" ] || printf '%s\n' "$container"
  done
}

# Removes containers that an interrupted rollout left: those that never ran, and the stopped ones beside a running one.
remove_unused() {
  for container in $(containers "$1" status=created); do remove "$container"; done
  if [ -n "$(containers "$1" status=running)" ]; then
    for container in $(containers "$1" status=exited); do remove "$container"; done
  fi
}

# prepare_secrets COMMAND...: runs prepare-secrets.sh in the only container that can read all secrets.
prepare_secrets() { quietly compose run --rm --no-deps -T secrets "$@"; }

# --- Replacing --------------------------------------------------------------------------------------------------------

# replace SERVICE [all]: replaces its outdated containers, or all of them, one at a time.
replace() {
  remove_unused "$1"
  if [ "${2:-}" = all ]; then formers=$(containers "$1"); else formers=$(outdated "$1"); fi
  [ -n "$formers" ] || return 0
  number=$(printf '%s\n' "$formers" | wc -l)
  total=$(containers "$1" | wc -l)
  is_changing=yes
  create "$1" $((total + number)) || fail "the new container of $1 cannot be created."
  place=0
  for former in $formers; do
    place=$((place + 1))
    new=$(containers "$1" status=created | head -n 1)
    say "$1: replacing $place of $number …"
    journal="$1 $new $former
$journal"
    if has_overlap "$1"; then
      start "$new" && await_ready "$new" && await_edge "$1" "$new" || fail "the new $1 does not become ready."
      docker stop "$former" > /dev/null
    else
      docker stop "$former" > /dev/null
      start "$new" && await_ready "$new" || fail "the new $1 does not become ready."
    fi
  done
}

# create SERVICE NUMBER: creates containers beside the present ones, up to a number of them.
create() {
  # Not --no-deps: the hash of the configuration would be another one, and the next `up` would replace the containers. So
  # Compose must know that the services before have former containers, too: it would remove one.
  created="$created --scale $1=$2 $1"
  # shellcheck disable=SC2086
  quietly compose up --no-start --no-build --no-recreate $created
}

# await_ready CONTAINER [tolerant]: waits until it is healthy, or has run to its end. Otherwise prints the end of its log, and
# what its last health check said.
# Tolerant: also while it is unhealthy for a time, as on a busy machine.
await_ready() {
  until=$(($(date +%s) + 300))
  state='{{.State.Status}} {{.State.ExitCode}} {{.RestartCount}} {{with .State.Health}}{{.Status}}{{end}}'
  while [ "$(date +%s)" -lt $until ]; do
    case $(inspect "$1" "$state") in
      'running 0 '*' healthy' | 'running 0 0 ' | 'exited 0 0 '*) return ;;
      # After five crashes, of which a busy machine may cause some.
      exited* | dead* | *' '[5-9]' '* | *' '[0-9][0-9]' '* | *unhealthy) [ "${2:-}" = tolerant ] || break ;;
    esac
    sleep 1
  done
  docker logs --tail 8 "$1" 2>&1 | cut -c 1-600 >&2
  inspect "$1" '{{range .State.Health.Log}}{{println .Output}}{{end}}' 2> /dev/null | grep . | tail -n 1 | cut -c 1-600 >&2
  return 1
}

# await_edge SERVICE CONTAINER: waits until the edge gets responses of a server that is ready. A server is in the stack's DNS
# before it accepts connections, so the edge may have set it aside for a while.
await_edge() {
  case $1 in backend) servers=backends ;; *) servers=shells ;; esac
  edge=$(containers edge status=running | head -n 1)
  [ -n "$edge" ] || return 0
  ips=$(inspect "$2" '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}')
  until=$(($(date +%s) + 60))
  while [ "$(date +%s)" -lt $until ]; do
    # Several requests, because each goes to the next server.
    responses=$(docker exec "$edge" curl --silent --include --max-time 5 "http://127.0.0.1:8081/$servers?[1-20]" | tr -d '\r') || true
    case $responses in
      *X-Upstream*) ;;
      # An edge that does not name the server: as long as it sets one aside.
      *)
        sleep 20
        return
        ;;
    esac
    for ip in $ips; do
      printf '%s\n' "$responses" | awk -v server="$ip:" '
        /^HTTP/ { status = $2 }
        /^X-Upstream: / && status == 200 && index($NF, server) == 1 { found = 1 }
        END { exit !found }' && return
    done
    sleep 1
  done
  say "$program: the edge sends it no requests." >&2
  return 1
}
