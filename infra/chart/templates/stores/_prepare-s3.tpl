{{- define "sinebar.prepareS3" -}}
backoffLimit: 6
template:
  metadata:
    labels:
      {{- include "sinebar.labels" (dict "labelName" "prepare-s3" "component" "preparation") | nindent 6 }}
  spec:
    restartPolicy: Never
    {{- include "sinebar.restrictedPod" (dict "root" . "user" 1000) | nindent 4 }}
    containers:
      - name: prepare
        image: {{ .Values.images.s3 }}
        command: [sh, /etc/sinebar-s3/prepare-s3.sh]
        envFrom:
          - configMapRef: { name: sinebar-raw-data }
          - secretRef: { name: {{ .Values.administrators.s3 }} }
        env:
          {{- $credentials := (index .Values "raw-data").credentials }}
          {{- include "sinebar.fromSecret" (dict "name" "S3_ACCESS_KEY" "secret" $credentials) | nindent 10 }}
          {{- include "sinebar.fromSecret" (dict "name" "S3_SECRET_KEY" "secret" $credentials) | nindent 10 }}
          - { name: HOME, value: /tmp }
        resources:
          requests: {{ toJson .Values.jobs.resources.requests }}
          limits: { memory: 256Mi }
        {{- include "sinebar.restrictedContainer" . | nindent 8 }}
        volumeMounts:
          - { name: tmp, mountPath: /tmp }
          - { name: script, mountPath: /etc/sinebar-s3, readOnly: true }
    volumes:
      {{- include "sinebar.tmpVolume" . | nindent 6 }}
      - name: script
        configMap: { name: s3-preparation }
{{- end }}
