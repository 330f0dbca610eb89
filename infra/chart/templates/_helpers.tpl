{{/* Image of the product. */}}
{{- define "sinebar.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* Metadata of an object: root, name, and the labels that it shares with its pods. */}}
{{- define "sinebar.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "sinebar.labels" . | nindent 2 }}
  app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* Labels of an object and of pods: labelName and component, where it has them. Pods of all releases have the same. */}}
{{- define "sinebar.labels" -}}
{{- with .labelName -}}
app.kubernetes.io/name: {{ . }}
{{ end -}}
app.kubernetes.io/part-of: sinebar
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* What all pods have: root, user. With the container below they have only the rights of the standard "restricted". */}}
{{- define "sinebar.restrictedPod" -}}
automountServiceAccountToken: false
# Otherwise a Service named "sinebar" would set SINEBAR_PORT to an address.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}

{{- define "sinebar.restrictedContainer" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "sinebar.tmpVolume" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{/* Rule of a NetworkPolicy by which a pod looks up names. */}}
{{- define "sinebar.nameLookup" -}}
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
    # Address of NodeLocal DNSCache in clusters with it.
    - ipBlock: { cidr: 169.254.20.10/32 }
  ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end }}

{{/* Rule of a NetworkPolicy by which a pod reaches stores: root, ports. The stores of a trial are pods: no connection leaves the cluster. */}}
{{- define "sinebar.toStores" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
    {{- end }}
  {{- if .root.Values.stores.enabled }}
  to: [{ podSelector: { matchLabels: { app.kubernetes.io/component: store } } }]
  {{- end }}
{{- end }}

{{/* Variable from a key of a Secret: name, secret, and optionally key and optional. */}}
{{- define "sinebar.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key | default .name }}{{ if .optional }}, optional: true{{ end }} } }
{{- end }}

{{- define "sinebar.plantVariable" -}}
- name: SINEBAR_PLANT
  valueFrom: { configMapKeyRef: { name: sinebar, key: SINEBAR_PLANT, optional: true } }
{{- end }}

{{/* Services of the release that the inspection service asks for the health of the whole (docs/decisions/0004-health-of-the-whole.md). */}}
{{- define "sinebar.healthPeers" -}}
{{- $peers := list }}
{{- if has "inspection" .Values.services }}
{{- range list "raw-data" "events" }}{{ if has . $.Values.services }}{{ $peers = append $peers . }}{{ end }}{{ end }}
{{- end }}
{{- join "," $peers }}
{{- end }}
