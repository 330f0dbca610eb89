#!/bin/sh
# Starts NATS with the given arguments. Quotes each password first, because its configuration parses variables as values.
# Users may use the plant without a name; SINEBAR_PLANTS=north,south permits the subjects and streams of these plants too.
#   start-nats.sh --config FILE          starts NATS
#   start-nats.sh permissions FILE       prints the configuration for SINEBAR_PLANTS
set -eu

quote() { printf '"%s"' "$(printf '%s' "$1" | sed 's/["\\]/\\&/g')"; }

# Each permission of a subject or stream is followed by those of the plants.
permissions() {
  subjects='&'
  streams='&'
  for plant in $(printf '%s' "${SINEBAR_PLANTS:-}" | tr ',' ' '); do
    case $plant in
      *[!a-z0-9-]* | -* | *-)
        echo "SINEBAR_PLANTS names the plant \"$plant\": use letters a to z, digits and hyphens, separated by commas." >&2
        exit 1
        ;;
    esac
    subjects="$subjects, \"sinebar.plant.$plant.\\1\""
    streams="$streams, \"\\1_$plant\\2\""
  done
  sed -e "s/\"\(sinebar\.[^\"]*\)\"/$subjects/g" -e "s/\"\(\$JS[^\"]*SINEBAR_EVENTS\)\([^\"]*\)\"/$streams/g" "$1"
}

if [ "${1:-}" = permissions ]; then
  permissions "$2"
  exit
fi

NATS_PASSWORD=$(quote "$NATS_PASSWORD")
NATS_INSPECTION_PASSWORD=$(quote "$NATS_INSPECTION_PASSWORD")
NATS_RAW_DATA_PASSWORD=$(quote "$NATS_RAW_DATA_PASSWORD")
NATS_EVENTS_PASSWORD=$(quote "$NATS_EVENTS_PASSWORD")
export NATS_PASSWORD NATS_INSPECTION_PASSWORD NATS_RAW_DATA_PASSWORD NATS_EVENTS_PASSWORD
if [ -n "${SINEBAR_PLANTS:-}" ] && [ "${1:-}" = --config ]; then
  file=/tmp/nats-plants.conf
  permissions "$2" > "$file"
  shift 2
  set -- --config "$file" "$@"
fi
exec nats-server "$@"
