#!/bin/sh
# The HEALTHCHECK of a remote's container: whether its release is published. Waits for the outcome (start.sh).
until [ -s /tmp/outcome ]; do sleep 1; done
exit "$(cat /tmp/outcome)"
