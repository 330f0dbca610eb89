{{/*
Job of a service: root, service, command (arguments of the image), name, component, and isAdministrator.
A Job cannot be changed, so its name has the version and a checksum of all that it consists of: an upgrade makes another one.
*/}}
{{- define "sinebar.job" -}}
{{- $spec := include "sinebar.jobSpec" . }}
{{- $job := include "sinebar.jobName" (dict "root" .root "name" .name "spec" $spec) }}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "sinebar.metadata" (dict "root" .root "name" $job "labelName" .name "component" .component) | nindent 2 }}
spec:
  {{- $spec | nindent 2 }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "sinebar.metadata" (dict "root" .root "name" .name "labelName" .name "component" .component) | nindent 2 }}
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: {{ .name }} } }
  policyTypes: [Ingress, Egress]
  egress:
    # PostgreSQL.
    {{- include "sinebar.toStores" (dict "root" .root "ports" (list 5432)) | nindent 4 }}
    {{- include "sinebar.nameLookup" . | nindent 4 }}
{{- end }}

{{- define "sinebar.jobName" -}}
{{- $version := .root.Values.image.tag | default .root.Chart.AppVersion | lower | replace "." "-" | replace "_" "-" | replace "+" "-" | trunc 36 | trimSuffix "-" }}
{{- printf "%s-%s-%s" .name $version (sha256sum .spec | trunc 6) }}
{{- end }}

{{- define "sinebar.jobSpec" -}}
{{- $credentials := (index .root.Values .service).credentials -}}
backoffLimit: 6
template:
  metadata:
    labels:
      {{- include "sinebar.labels" (dict "labelName" .name "component" .component) | nindent 6 }}
  spec:
    restartPolicy: Never
    {{- include "sinebar.restrictedPod" (dict "root" .root "user" 10001) | nindent 4 }}
    containers:
      - name: sinebar
        image: {{ include "sinebar.image" .root }}
        args: [{{ .command }}, --services, {{ .service }}]
        env:
          {{- include "sinebar.fromSecret" (dict "name" "DATABASE_URL" "secret" $credentials) | nindent 10 }}
          {{- include "sinebar.fromSecret" (dict "name" "DATABASE_PASSWORD" "secret" $credentials "optional" true) | nindent 10 }}
          {{- if .isAdministrator }}
          {{- $administrator := .root.Values.administrators.database }}
          {{- include "sinebar.fromSecret" (dict "name" "DATABASE_ADMINISTRATOR_URL" "secret" $administrator) | nindent 10 }}
          {{- include "sinebar.fromSecret" (dict "name" "DATABASE_ADMINISTRATOR_PASSWORD" "secret" $administrator "optional" true) | nindent 10 }}
          {{- end }}
          {{- include "sinebar.plantVariable" . | nindent 10 }}
        resources: {{ toJson .root.Values.jobs.resources }}
        {{- include "sinebar.restrictedContainer" . | nindent 8 }}
        volumeMounts:
          - { name: tmp, mountPath: /tmp }
    volumes:
      {{- include "sinebar.tmpVolume" . | nindent 6 }}
{{- end }}
