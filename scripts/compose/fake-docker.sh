#!/bin/sh
# A Docker engine for rollout.spec.ts, in the place of `docker`. A container is a folder of $ENGINE/containers, with its
# service, status and version; its id grows with its age. Changes are lines of $ENGINE/log. A service and version in
# $ENGINE/broken crashes, one in $ENGINE/starting never becomes ready; a command in $ENGINE/failing fails.
set -eu
containers=$ENGINE/containers
configured() { echo "${VERSION:-$(sed -n 's/^VERSION=//p' .env | grep . || echo 1)}"; }
# get ID: reads a container's properties, without a process for each, of which a test would start thousands.
get() {
  read -r service < "$containers/$1/service"
  read -r status < "$containers/$1/status"
  read -r version < "$containers/$1/version"
}
put() { echo "$3" > "$containers/$1/$2"; }
log() { echo "$*" >> "$ENGINE/log"; }
is() { grep -qxF "$service $version" "$ENGINE/$1"; }
case " $* " in *" $(cat "$ENGINE/failing") "*) echo 'It fails.' >&2; exit 1 ;; esac

# add SERVICE: creates a container.
add() {
  id=$(($(cat "$ENGINE/last") + 1))
  echo $id > "$ENGINE/last"
  mkdir "$containers/$id"
  put $id service "$1"
  put $id status created
  put $id version "$(configured)"
}

case "$1 ${2:-}" in
  'compose config')
    case "$*" in
      *--hash*) for service in postgres secrets roles migrate backend shell edge backup; do echo "$service $(configured)"; done ;;
      *--services) printf '%s\n' edge backup backend postgres migrate shell roles secrets ;;
      *)
        printf 'name: test\nservices:\n'
        for service in postgres secrets roles migrate backend shell edge backup; do
          printf '  %s:\n    deploy:\n      replicas: 2\n    image: daybook/%s:%s\n' $service $service "$(configured)"
        done
        ;;
    esac
    ;;
  'compose up')
    shift 2
    for word; do
      case $word in *=*)
        for _ in $(seq "$(cat "$containers"/*/service | grep -cx "${word%=*}")" $((${word#*=} - 1))); do
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
      get "$id"
      case "$* " in *"compose.service=$service "*) ;; *compose.service=*) continue ;; esac
      case "$*" in *"status=$status"*) ;; *status=*) continue ;; esac
      echo "$id"
    done
    ;;
  'inspect '*)
    id=$4
    get "$id"
    case $3 in
      *RestartCount*)
        case $service in
          secrets | roles | migrate) if is broken; then echo 'exited 1 0 '; else echo 'exited 0 0 '; fi ;;
          *) if is broken; then echo 'restarting 1 5 '; elif is starting; then echo 'running 0 0 starting'; else echo 'running 0 0 healthy'; fi ;;
        esac
        ;;
      *config-hash*) echo "$version $service:$version" ;;
      *RestartPolicy*) case $service in secrets | roles | migrate) echo no ;; *) echo unless-stopped ;; esac ;;
      *Running*) [ "$status" = running ] && echo true || echo false ;;
      *Health.Log*) printf 'Its first check.\n\nIts last check.\n\n' ;;
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
      get "$id"
      if [ "$status" = running ]; then printf 'HTTP/1.1 200 OK\nX-Upstream: 10.0.0.%s:3000\n\n' "$id"; fi
    done
    ;;
  'start '*)
    get "$2"
    log "start $service $version"
    case $service in secrets | roles | migrate) put "$2" status exited ;; *) put "$2" status running ;; esac
    ;;
  'stop '*)
    get "$2"
    [ "$status" != running ] || log "stop $service $version"
    put "$2" status exited
    ;;
  'rm '*) rm -r "${containers:?}/$4" ;;
  'logs '*) echo 'Its last words.' ;;
esac
