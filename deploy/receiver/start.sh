#!/bin/sh
# Reads the secrets from their files, unless they are set, and starts the receiver.
set -eu
: "${LISTMONK_URL:?is not set}" "${LISTMONK_LIST:?is not set}"
WEBHOOK_SECRET=${WEBHOOK_SECRET:-$(cat "$WEBHOOK_SECRET_FILE")}
LISTMONK_TOKEN=${LISTMONK_TOKEN:-$(cat "$LISTMONK_TOKEN_FILE")}
: "${LISTMONK_TOKEN:?is not set, and $LISTMONK_TOKEN_FILE is empty}"
export WEBHOOK_SECRET LISTMONK_TOKEN
exec node "$(dirname "$0")/receiver.mjs"
