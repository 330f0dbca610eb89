{{/* Pod of a store: root, user. */}}
{{- define "sinebar.storePod" -}}
{{ include "sinebar.restrictedPod" . }}
terminationGracePeriodSeconds: 60
{{- end }}

{{/* Volumes of a store that are not its own, and its data where it has no claim. */}}
{{- define "sinebar.storeVolumes" -}}
{{ include "sinebar.tmpVolume" . }}
{{- if not .Values.stores.volumes }}
- name: data
  emptyDir: { sizeLimit: {{ .Values.stores.size }} }
{{- end }}
{{- end }}

{{- define "sinebar.storeClaim" -}}
{{- if .Values.stores.volumes -}}
volumeClaimTemplates:
  - metadata:
      name: data
      labels:
        {{- include "sinebar.labels" (dict "component" "store") | nindent 8 }}
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .Values.stores.storageClass }}
      storageClassName: {{ . }}
      {{- end }}
      resources: { requests: { storage: {{ .Values.stores.size }} } }
{{- end }}
{{- end }}

{{/* Service and NetworkPolicy of a store: root, name, port, and from (pods that it admits). */}}
{{- define "sinebar.storeAccess" -}}
{{- $metadata := dict "root" .root "name" .name "component" "store" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "sinebar.metadata" $metadata | nindent 2 }}
spec:
  selector: { app.kubernetes.io/name: {{ .name }} }
  ports: [{ port: {{ .port }} }]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "sinebar.metadata" $metadata | nindent 2 }}
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: {{ .name }} } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from: [{ podSelector: { matchExpressions: [{ key: app.kubernetes.io/name, operator: In, values: {{ toJson .from }} }] } }]
      ports: [{ port: {{ .port }} }]
    {{- if .root.Values.tools.enabled }}
    - from: [{ podSelector: { matchLabels: { app.kubernetes.io/name: tools } } }]
      ports: [{ port: 5432 }, { port: 4222 }, { port: 9000 }]
    {{- end }}
{{- end }}
