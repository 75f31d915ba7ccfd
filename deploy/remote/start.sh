#!/bin/sh
# The process of a remote's container: publishes its release, then stays, so that Compose and orchestrators see a service that
# is up. It stays without Node, whose memory each remote would keep. The first process of a container gets only the signals
# that it handles: hence the trap, and `wait`, which a signal ends, unlike a program in the foreground.
# /tmp/outcome: 0 once the site has the release, or had it before; 1 after a rejection. The HEALTHCHECK waits for it.
trap 'exit 0' TERM INT
rm -f /tmp/outcome

in_background() {
  "$@" &
  wait $!
}

pause=10
until in_background node /daybook/packages/releases/src/publish.ts; do
  echo 1 > /tmp/outcome
  # A rejection may end by itself: a new shell server, another token. Uploads are limited to 60 an hour.
  in_background sleep $pause
  pause=$((pause < 160 ? pause * 2 : 300))
done
echo 0 > /tmp/outcome
in_background sleep infinity
