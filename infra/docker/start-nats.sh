#!/bin/sh
# Starts NATS with the given arguments. Quotes each password first, because its configuration parses variables as values.
set -eu

quote() { printf '"%s"' "$(printf '%s' "$1" | sed 's/["\\]/\\&/g')"; }

NATS_PASSWORD=$(quote "$NATS_PASSWORD")
NATS_INSPECTION_PASSWORD=$(quote "$NATS_INSPECTION_PASSWORD")
NATS_RAW_DATA_PASSWORD=$(quote "$NATS_RAW_DATA_PASSWORD")
NATS_EVENTS_PASSWORD=$(quote "$NATS_EVENTS_PASSWORD")
export NATS_PASSWORD NATS_INSPECTION_PASSWORD NATS_RAW_DATA_PASSWORD NATS_EVENTS_PASSWORD
exec nats-server "$@"
