#!/bin/sh
# start-edge.sh COMMAND...: writes the part of edge.conf that depends on settings, then runs the command, with polls of
# shell servers and backends beside it.
#   TRUSTED_PROXIES         number of proxies in front of the stack. The client is that many places from the right of
#                           X-Forwarded-For; with 0 it is the peer, and the header is ignored
#   LIMIT_NETWORK_REQUESTS  maximum requests per minute and client network; a quarter of them to the API. In progress: those
#                           of half a second, and of 80 ms with a body. A customer (an IPv6 /48) has four times each, and
#                           three times the bodies
set -eu
# Two connections and a file for each request. As many as the engine allows: a container that asks for more does not start.
files=$(ulimit -H -n)
case $files in *[!0-9]* | ??????*) files=65536 ;; esac
ulimit -n "$files"
proxies=${TRUSTED_PROXIES:-0}
limit=${LIMIT_NETWORK_REQUESTS:-12000}

reject() {
  echo "$1" >&2
  exit 1
}
case $proxies in
  [0-9] | 10) ;;
  *) reject "TRUSTED_PROXIES: must be a whole number from 0 to 10" ;;
esac
case $limit in
  *[!0-9]* | 0* | ? | ????????*) reject "LIMIT_NETWORK_REQUESTS: must be a whole number from 10 to 9999999" ;;
esac

# IP addresses with or without a port.
v4='(?<v4>\d+\.\d+\.\d+\.\d+)(?::\d+)?'
v6='\[?(?<v6>[\dA-Fa-f.]*:[\dA-Fa-f:.]*)(?:\](?::\d+)?)?'
{
  echo 'map $http_x_forwarded_for $client_ip {'
  echo '  default $remote_addr;'
  if [ "$proxies" -gt 0 ]; then
    echo "  \"~(?:^|,)\s*(?:$v4|$v6)\s*(?:,[^,]*){$((proxies - 1))}\$\" \$v4\$v6;"
  fi
  if [ "$proxies" -gt 1 ]; then
    # With fewer places than proxies, the farthest one. Otherwise clients state that one.
    echo "  \"~^\s*(?:$v4|$v6)\s*(?:,[^,]*){0,$((proxies - 2))}\$\" \$v4\$v6;"
  fi
  echo '}'
  echo "geo \$behind_proxy { default $((proxies > 0)); }"
  # nginx counts no more than 65535.
  at_once=$((limit / 120 < 100 ? 100 : limit / 120 > 16000 ? 16000 : limit / 120))
  # A body takes milliseconds. 16 are the signups of a network, at the backends' limit of 180 a minute, in the 4 seconds that
  # they wait for a database that restarts.
  bodies=$((limit / 750 < 16 ? 16 : limit / 750 > 16000 ? 16000 : limit / 750))
  echo "limit_conn network $at_once;"
  echo "limit_conn network_bodies $bodies;"
  echo "limit_conn customer $((at_once * 4));"
  echo "limit_conn customer_bodies $((bodies * 3));"
  echo "limit_req_zone \$network zone=requests:10m rate=${limit}r/m;"
  echo "limit_req_zone \$network zone=api:10m rate=$((limit / 4))r/m;"
  echo "limit_req_zone \$customer zone=customer_requests:10m rate=$((limit * 4))r/m;"
  echo "limit_req_zone \$customer zone=customer_api:10m rate=${limit}r/m;"
} > "${CLIENTS_FILE:-/tmp/clients.conf}"

# nginx has no health checks, but sets a server aside after a request that failed. So these requests fail instead of a
# visitor's. Several, because each goes to the next server only.
poll() {
  while kill -0 $$ 2> /dev/null; do
    curl --silent --output /dev/null --max-time 5 "http://127.0.0.1:${STATUS_PORT:-8081}/$1?[1-6]" || true
    sleep 1
  done
}
poll shells &
poll backends &
exec "$@"
