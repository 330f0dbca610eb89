#!/usr/bin/env bash
# Executes infra/docker/Dockerfile without a container engine, as an ordinary user with read-only sources: runs the build stage in a
# temporary folder, checks the deployed files, brings the schemas up to date, starts each service from its read-only folder on real backing
# services, and runs the image's health check.
#
#   infra/docker/rehearse.sh            builds and runs; KEEP=1 leaves the folder
# Backing services are those of DATABASE_URL, NATS_URL, S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY, or are started by
# packages/local-servers (build it first).
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dockerfile=$repository/infra/docker/Dockerfile
services=(inspection raw-data events)

say() { printf '== %s\n' "$*"; }
fail() { printf 'REHEARSAL FAILED: %s\n' "$*" >&2; exit 1; }

# Root becomes "nobody" for the work of the image build and the containers.
as_user() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; else "$@"; fi
}

# Instructions one per line, continuation lines joined, comments dropped.
instructions() {
  awk '/^[ \t]*#/ { next } { line = line $0 } /\\$/ { sub(/\\$/, "", line); next } { if (line != "") print line; line = "" }' "$dockerfile"
}

# The build context after .dockerignore: its "!" lines include, the others exclude below that.
copy_context() {
  local take=() leave=() line
  while IFS= read -r line; do
    case $line in
      '' | '#'* | '*') ;;
      '!'*) take+=("${line#!}") ;;
      *) leave+=("--exclude=${line#\*\*/}") ;;
    esac
  done <"$repository/.dockerignore"
  mkdir "$work/context"
  tar -C "$repository" "${leave[@]}" -cf - "${take[@]}" | tar -C "$work/context" -xf -
  chmod -R a-w,a+rX "$work/context"
}

build() {
  say "context: $(find "$work/context" -type f | wc -l) files, read-only"
  mkdir -p "$work/root" "$work/home" "$work/tmp" "$work/npm"
  [ "$(id -u)" != 0 ] || chown -R 65534:65534 "$work/root" "$work/home" "$work/tmp" "$work/npm"
  export HOME=$work/home TMPDIR=$work/tmp NPM_CONFIG_PREFIX=$work/npm PATH=$work/npm/bin:$PATH
  local stage='' directory=$work/root word rest line pair
  while IFS= read -r line; do
    word=${line%% *} rest=${line#* }
    if [ "$word" = FROM ]; then stage=${rest##* AS }; fi
    [ "$stage" = build ] || continue
    case $word in
      FROM) ;;
      ARG | ENV) for pair in $rest; do export "${pair?}"; done ;;
      WORKDIR) directory=$work/root$rest; as_user mkdir -p "$directory" ;;
      COPY)
        say "COPY $rest"
        local words=() target
        read -ra words <<<"$rest"
        target=${words[-1]} && unset 'words[-1]'
        for word in "${words[@]}"; do
          # Copies a folder's content to the target, as Docker does.
          if [ -d "$work/context/$word" ]; then
            as_user mkdir -p "$directory/$target"
            as_user cp -R --no-preserve=mode "$work/context/$word/." "$directory/$target"
          else as_user cp --no-preserve=mode "$work/context/$word" "$directory/$target"; fi
        done
        ;;
      RUN) say "RUN $rest"; (cd "$directory" && as_user sh -c "$rest") || fail "RUN $rest" ;;
      *) fail "the build stage has an instruction that is not rehearsed: $word" ;;
    esac
  done < <(instructions)
  mv "$directory/deployed" "$work/deployed"
  # Nothing may depend on the build folder: the image contains the deployed folders only.
  rm -rf "${work:?}/root" "$work/npm" "$work/context"
}

inspect() {
  local service folder link
  for service in "${services[@]}"; do
    folder=$work/deployed/$service
    [ -f "$folder/dist/main.js" ] || fail "$service has no dist/main.js"
    while IFS= read -r link; do
      case $(readlink -m "$link") in "$folder"/*) ;; *) fail "$link points out of its folder" ;; esac
    done < <(find "$folder" -type l)
    for unwanted in typescript jest eslint supertest @swc; do
      [ -z "$(find "$folder/node_modules" -path "*/node_modules/$unwanted" -print -quit)" ] || fail "$service was deployed with $unwanted"
    done
    # Checks our own code only.
    [ -z "$(find "$folder/dist" "$folder"/node_modules/.pnpm/@sinebar* \( -name '.env*' -o -name '*.test.*' -o -name '*.ts' ! -name '*.d.ts' \) -print -quit)" ] ||
      fail "$service was deployed with an .env, a test or source"
    say "$service: $(du -sh "$folder" | cut -f1), $(find "$folder" -type f | wc -l) files"
  done
  chmod -R a-w,a+rX "$work/deployed"
}

# Prints the image's health check with the port of this run.
is_alive() {
  instructions | sed -n 's/^HEALTHCHECK .*CMD //p' >"$work/healthcheck.json"
  SINEBAR_PORT=$1 node -e '
    const [program, ...args] = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    process.exit(require("node:child_process").spawnSync(program, args, { stdio: "inherit" }).status ?? 1);' "$work/healthcheck.json"
}

declare -A pids=() ports=()
stop_services() {
  local service
  for service in "${!pids[@]}"; do kill -KILL "${pids[$service]}" 2>/dev/null || true; done
}

run() {
  trap stop_services EXIT
  local service deadline
  local common=(PATH="$PATH" NODE_ENV=production TMPDIR="$work/tmp" SINEBAR_HOST=127.0.0.1 SINEBAR_MANAGEMENT_PORT=0 NATS_URL="$NATS_URL")
  local database=(DATABASE_URL="$DATABASE_URL")
  local blobs=(S3_ENDPOINT="$S3_ENDPOINT" S3_ACCESS_KEY="$S3_ACCESS_KEY" S3_SECRET_KEY="$S3_SECRET_KEY" S3_BUCKET=rehearsal S3_REGION=us-east-1)
  for service in "${services[@]}"; do
    ports[$service]=$(node -e 'const server = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close(); })')
  done
  as_user mkdir -p "$work/tmp/spool"

  environment_of() {
    environment=("${common[@]}" SINEBAR_PORT="${ports[$1]}")
    case $1 in
      inspection) environment+=("${database[@]}" SINEBAR_HEALTH_PEERS="http://127.0.0.1:${ports[raw-data]},http://127.0.0.1:${ports[events]}") ;;
      raw-data) environment+=("${database[@]}" "${blobs[@]}" SINEBAR_SPOOL_DIR="$work/tmp/spool") ;;
    esac
  }
  local environment=()

  for service in inspection raw-data; do
    say "migrate $service, twice: the second time there is nothing to do"
    environment_of "$service"
    for _ in 1 2; do
      (cd "$work/deployed/$service" && as_user env -i "${environment[@]}" node dist/migrate.js) || fail "migrate of $service"
    done
  done

  for service in "${services[@]}"; do
    environment_of "$service"
    (cd "$work/deployed/$service" && as_user env -i "${environment[@]}" $([ "$service" = events ] || echo SINEBAR_MIGRATE=off) node --heap-growing-percent=100 dist/main.js >"$work/$service.log" 2>&1) &
    pids[$service]=$!
  done
  for service in "${services[@]}"; do
    deadline=$((SECONDS + 60))
    until is_alive "${ports[$service]}" && ready "${ports[$service]}"; do
      kill -0 "${pids[$service]}" 2>/dev/null || { cat "$work/$service.log" >&2; fail "$service ended"; }
      [ $SECONDS -lt $deadline ] || { cat "$work/$service.log" >&2; fail "$service is not ready after 60 s"; }
      sleep 0.3
    done
    say "$service is alive and ready"
  done
  node -e '
    fetch(process.argv[1]).then(async (answer) => { console.log("all:", answer.status, await answer.text()); process.exit(answer.ok ? 0 : 1); });
  ' "http://127.0.0.1:${ports[inspection]}/healthServiceRest/all/ready" || fail "the sum of all is not ready"

  for service in events raw-data inspection; do
    local child
    # Signals the child of the background subshell.
    child=$(pgrep -P "${pids[$service]}" | head -1 || true)
    kill -TERM "${child:-${pids[$service]}}"
    wait "${pids[$service]}" || { tail -20 "$work/$service.log" >&2; fail "$service did not stop cleanly"; }
    unset "pids[$service]"
    say "$service stopped"
  done
  trap - EXIT
}

ready() {
  node -e 'fetch(process.argv[1], { signal: AbortSignal.timeout(5000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' \
    "http://127.0.0.1:$1/healthServiceRest/ready"
}

if [ "${1:-}" = --run ]; then
  work=$2
  run
  exit
fi

work=$(mktemp -d)
# The services run as another user, who must be able to enter.
chmod 755 "$work"
clean() {
  [ -z "${KEEP:-}" ] || { say "kept: $work"; return; }
  chmod -R u+w "$work" && rm -rf "$work"
}
trap clean EXIT
copy_context
(build)
inspect
if [ -n "${DATABASE_URL:-}" ] && [ -n "${NATS_URL:-}" ] && [ -n "${S3_ENDPOINT:-}" ]; then
  "${BASH_SOURCE[0]}" --run "$work"
else
  [ -f "$repository/packages/local-servers/dist/commands/with-services.js" ] || fail "set DATABASE_URL, NATS_URL and S3_*, or build the local servers (npx tsc -b packages/local-servers)"
  node "$repository/packages/local-servers/dist/commands/with-services.js" -- "${BASH_SOURCE[0]}" --run "$work"
fi
say "the rehearsal has passed"
