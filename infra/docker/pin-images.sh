#!/usr/bin/env bash
# Asks the registries for the digests of the foreign images in docker-compose.yml, the Dockerfile and the chart, and writes them to files
# that compose and helm read. Needs docker with buildx and access to the registries.
#   infra/docker/pin-images.sh            writes docker-compose.pinned.yml and infra/chart/pinned-images.yaml
#   infra/docker/pin-images.sh --list     prints the images
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

compose=docker-compose.pinned.yml
values=infra/chart/pinned-images.yaml

# Prints the compose services with a matching line, and that line.
services_with() {
  awk -v pattern="$1" '/^services:/ { inside = 1; next } /^[a-z]/ { inside = 0 }
    inside && /^  [a-z0-9-]+:$/ { service = $1; sub(/:$/, "", service) }
    inside && $0 ~ pattern { print service, $2 }' docker-compose.yml
}
built() { services_with '^    build:' | cut -d ' ' -f 1; }
# Several services share the fragment with the image of the S3 store.
s3_image() { sed -nE 's/^  image: (.*S3_IMAGE.*)$/\1/p' docker-compose.yml; }
foreign() {
  services_with '^    image: ' | grep -v ' sinebar:'
  services_with '^    <<: .*[*]s3-image' | while read -r service _; do echo "$service $(s3_image)"; done
}
# Uses the default of a variable.
default_of() { sed -E 's/\$\{[A-Z0-9_]+:-([^}]*)\}/\1/'; }
node_image() { sed -nE 's/^ARG NODE_IMAGE=(.*)$/\1/p' infra/docker/Dockerfile; }
images() { { foreign | cut -d ' ' -f 2 | default_of; node_image; } | sort -u; }

if [ "${1:-}" = --list ]; then
  images
  exit
fi

declare -A digests=()
while IFS= read -r image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}') || { echo "no registry answers for $image" >&2; exit 1; }
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "the registry gave no digest for $image: $digest" >&2; exit 1; }
  digests[$image]=$digest
  echo "$image@$digest"
done < <(images)

{
  echo '# Made by infra/docker/pin-images.sh: docker compose --file docker-compose.yml --file docker-compose.pinned.yml up --build --detach'
  echo 'services:'
  while read -r service named; do
    image=$(default_of <<<"$named")
    # A variable that is set has chosen another image.
    printf '  %s: { image: "%s" }\n' "$service" "${named/"$image"/"$image@${digests[$image]}"}"
  done < <(foreign)
  node=$(node_image)
  for service in $(built); do
    printf '  %s: { build: { args: { NODE_IMAGE: "%s@%s" } } }\n' "$service" "$node" "${digests[$node]}"
  done
} >"$compose"

# Prints the images of the chart, each behind its name.
images_of_chart() { sed -nE '/^images:/,/^[a-z]+:$/ s/^  ([a-z0-9]+): (.*)$/\1 \2/p' infra/chart/values.yaml; }
{
  echo '# Made by infra/docker/pin-images.sh: helm upgrade --install … --values infra/chart/pinned-images.yaml'
  echo 'images:'
  while read -r name image; do
    printf '  %s: %s@%s\n' "$name" "$image" "${digests[$image]:?the chart names an image that docker-compose.yml does not}"
  done < <(images_of_chart)
} >"$values"
echo "written: $compose, $values"
