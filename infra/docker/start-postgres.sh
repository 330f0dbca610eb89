#!/usr/bin/env bash
# Starts PostgreSQL in the official image, and creates the database first where there is none.
# The image's own first start leaves a folder that no later start accepts when it is interrupted. Here the database is made in a folder of
# another name, which is renamed when it is complete (docs/decisions/0034).
#   start-postgres.sh postgres [options]     with PGDATA and the image's POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB and POSTGRES_INITDB_ARGS
set -euo pipefail

create_database() {
  local unfinished=$PGDATA.unfinished options=()
  read -ra options <<<"${POSTGRES_INITDB_ARGS:-}"
  rm -rf "$unfinished"
  PGDATA=$unfinished initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --no-instructions "${options[@]}"
  printf '\nhost all all all scram-sha-256\n' >>"$unfinished/pg_hba.conf"
  postgres --single -D "$unfinished" -c exit_on_error=on postgres <<<"CREATE DATABASE \"$POSTGRES_DB\"" >/dev/null
  sync "$unfinished/pg_hba.conf"
  mv --no-target-directory "$unfinished" "$PGDATA"
  sync "${PGDATA%/*}"
}

if [ "$1" = --create ]; then
  create_database
  exit
fi

# The first process of a container gets no signal without a handler.
trap 'exit 130' INT TERM
if [ ! -e "$PGDATA/global/pg_control" ]; then
  if [ -n "$(ls -A "$PGDATA" 2>/dev/null)" ]; then
    echo "The folder $PGDATA holds an incomplete database. If its first start was interrupted, it has no data: remove the volume with" \
      '"docker compose down" and "docker volume rm sinebar_postgres-data", and start again. Otherwise restore a backup.' >&2
    exit 1
  fi
  # PostgreSQL refuses to run as root.
  as_postgres=()
  if [ "$(id -u)" = 0 ]; then
    mkdir -p "${PGDATA%/*}"
    chown postgres:postgres "${PGDATA%/*}"
    as_postgres=(gosu postgres)
  fi
  "${as_postgres[@]}" "$BASH" "${BASH_SOURCE[0]}" --create
fi
trap - INT TERM
exec docker-entrypoint.sh "$@"
