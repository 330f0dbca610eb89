#!/usr/bin/env bash
# Builds the images for a trial on a small cluster, in the versions that the bases name, and loads them into the cluster.
#   infra/kubernetes/load-images.sh kind|minikube      (another kind cluster than "kind": KIND_CLUSTER=name)
set -euo pipefail

cluster=${1:-}
case $cluster in
  kind | minikube) ;;
  *) echo "usage: ${0##*/} kind|minikube" >&2; exit 2 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for program in docker "$cluster"; do
  command -v "$program" >/dev/null || { echo "$program is not on the PATH" >&2; exit 1; }
done

mapfile -t images < <(sed -n 's/^ *image: \(sinebar\/.*\)$/\1/p' infra/kubernetes/bases/*/deployment.yaml)
for image in "${images[@]}"; do
  service=${image#sinebar/}
  docker build --file infra/docker/Dockerfile --target "${service%%:*}" --tag "$image" .
done
case $cluster in
  kind) kind load docker-image --name "${KIND_CLUSTER:-kind}" "${images[@]}" ;;
  minikube) for image in "${images[@]}"; do minikube image load "$image"; done ;;
esac
