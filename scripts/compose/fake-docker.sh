#!/bin/sh
# A Docker engine for rollout.spec.ts, in the place of `docker`. A container is a folder of $ENGINE/containers, with its
# service, status and version; its id grows with its age. Changes are lines of $ENGINE/log. A service and version in
# $ENGINE/broken crashes, one in $ENGINE/starting never becomes ready; a command in $ENGINE/failing fails.
set -eu
containers=$ENGINE/containers
version() { [ -n "${VERSION:-}" ] && echo "$VERSION" || sed -n 's/^VERSION=//p' .env; }
get() { cat "$containers/$1/$2"; }
put() { echo "$3" > "$containers/$1/$2"; }
log() { echo "$*" >> "$ENGINE/log"; }
is() { grep -qxF "$(get "$2" service) $(get "$2" version)" "$ENGINE/$1"; }
case " $* " in *" $(cat "$ENGINE/failing") "*) echo 'It fails.' >&2; exit 1 ;; esac

# add SERVICE: creates a container.
add() {
  id=$(($(cat "$ENGINE/last") + 1))
  echo $id > "$ENGINE/last"
  mkdir "$containers/$id"
  put $id service "$1"
  put $id status created
  put $id version "$(version)"
}

case "$1 ${2:-}" in
  'compose config')
    case "$*" in
      *--hash*) for service in postgres secrets roles migrate backend shell edge backup; do echo "$service $(version)"; done ;;
      *--services) printf '%s\n' edge backup backend postgres migrate shell roles secrets ;;
      *)
        printf 'name: test\nservices:\n'
        for service in postgres secrets roles migrate backend shell edge backup; do
          printf '  %s:\n    deploy:\n      replicas: 2\n    image: daybook/%s:%s\n' $service $service "$(version)"
        done
        ;;
    esac
    ;;
  'compose up')
    shift 2
    for word; do
      case $word in *=*)
        for _ in $(seq "$(ls "$containers" | while read -r id; do get "$id" service; done | grep -cx "${word%=*}")" $((${word#*=} - 1))); do
          add "${word%=*}"
        done
        ;;
      esac
    done
    case "$*" in *--no-start*) ;; *) log up ;; esac
    ;;
  'compose run' | 'compose exec') log "$(echo "$*" | sed 's/^compose [a-z]* //; s/--rm --no-deps //; s/-T //')" ;;
  'ps '*)
    for id in $(ls "$containers" | sort -rn); do
      case "$*" in *"compose.service=$(get "$id" service) "* | *"compose.service=$(get "$id" service)") ;; *compose.service=*) continue ;; esac
      case "$*" in *"status=$(get "$id" status)"*) ;; *status=*) continue ;; esac
      echo "$id"
    done
    ;;
  'inspect '*)
    id=$4
    service=$(get "$id" service)
    case $3 in
      *RestartCount*)
        case $service in
          secrets | roles | migrate) if is broken "$id"; then echo 'exited 1 0 '; else echo 'exited 0 0 '; fi ;;
          *) if is broken "$id"; then echo 'restarting 1 5 '; elif is starting "$id"; then echo 'running 0 0 starting'; else echo 'running 0 0 healthy'; fi ;;
        esac
        ;;
      *config-hash*) echo "$(get "$id" version) $service:$(get "$id" version)" ;;
      *RestartPolicy*) case $service in secrets | roles | migrate) echo no ;; *) echo unless-stopped ;; esac ;;
      *Running*) [ "$(get "$id" status)" = running ] && echo true || echo false ;;
      *IPAddress*) echo "10.0.0.$id" ;;
    esac
    ;;
  'image inspect')
    name=${5#daybook/}
    grep -qx "${name#*:}" "$ENGINE/images" && echo "$name"
    ;;
  'images '*) cat "$ENGINE/images" ;;
  'exec '*)
    for id in $(ls "$containers"); do
      if [ "$(get "$id" status)" = running ]; then printf 'HTTP/1.1 200 OK\nX-Upstream: 10.0.0.%s:3000\n\n' "$id"; fi
    done
    ;;
  'start '*)
    log "start $(get "$2" service) $(get "$2" version)"
    case $(get "$2" service) in secrets | roles | migrate) put "$2" status exited ;; *) put "$2" status running ;; esac
    ;;
  'stop '*)
    [ "$(get "$2" status)" != running ] || log "stop $(get "$2" service) $(get "$2" version)"
    put "$2" status exited
    ;;
  'rm '*) rm -r "${containers:?}/$4" ;;
  'logs '*) echo 'Its last words.' ;;
esac
