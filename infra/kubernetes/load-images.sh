#!/usr/bin/env bash
# Builds the image for a trial on a small cluster, in the version of the chart, and loads it into the cluster.
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

image=sinebar:$(sed -n 's/^appVersion: *//p' infra/chart/Chart.yaml)
docker build --file infra/docker/Dockerfile --tag "$image" .
case $cluster in
  kind) kind load docker-image --name "${KIND_CLUSTER:-kind}" "$image" ;;
  minikube) minikube image load "$image" ;;
esac
