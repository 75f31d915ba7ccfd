#!/bin/sh
# start.sh COMMAND...: writes the settings of edge.conf, then runs the command.
#   PROXY_ADDRESSES         addresses or networks of proxies in front, separated by spaces; only they may state a client
#   LIMIT_NETWORK_REQUESTS  requests per minute and client network; a quarter of them calls
set -eu
limit=${LIMIT_NETWORK_REQUESTS:-12000}
{
  for address in ${PROXY_ADDRESSES:-}; do echo "set_real_ip_from $address;"; done
  echo "limit_req_zone \$network zone=requests:10m rate=${limit}r/m;"
  echo "limit_req_zone \$network zone=calls:10m rate=$((limit / 4))r/m;"
} > "${SETTINGS_FILE:-/tmp/settings.conf}"
# Two connections and a file for each request, or as many as the engine allows.
ulimit -n 65536 2> /dev/null || ulimit -n "$(ulimit -H -n)"
# A killed edge leaves its socket.
rm -f /run/edge/edge.sock
exec "$@"
