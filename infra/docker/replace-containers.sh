#!/bin/sh
# Replaces the containers of a service one by one, after "docker compose build" or a change of settings: each new one is ready before an old
# one stops. From the folder of the compose file:
#   infra/docker/replace-containers.sh events        # or inspection, raw-data
set -eu

service=${1:-}
[ -n "$service" ] || {
  echo "Name a service: events, inspection or raw-data." >&2
  exit 2
}
case $service in
  *events | *inspection | *raw-data) ;;
  *)
    echo "$service is replaced by \"docker compose up\" only. Name events, inspection or raw-data." >&2
    exit 2
    ;;
esac
running() { docker compose ps --quiet --status running "$service"; }
old=$(running)
[ -n "$old" ] || {
  echo "No container of $service runs. Start it: docker compose up --detach $service" >&2
  exit 1
}
count=$(echo "$old" | wc -l)
for container in $old; do
  docker compose up --detach --wait --no-deps --no-recreate --scale "$service=$((count + 1))" "$service"
  [ "$(running | wc -l)" -gt "$count" ] || {
    echo "No new container of $service runs; the others were left as they are." >&2
    exit 1
  }
  docker stop --time 45 "$container" > /dev/null
  docker rm "$container" > /dev/null
  echo "replaced $container"
done
