{{/* Settings of all services as YAML, for their ConfigMap. */}}
{{- define "sinebar.settings" -}}
{{- $settings := deepCopy .Values.settings }}
{{- $plant := .Values.plant.name }}
{{- if and .Values.host (not (hasKey $settings "SINEBAR_PUBLIC_URL")) }}
{{- $_ := set $settings "SINEBAR_PUBLIC_URL" (printf "https://%s%s" .Values.host (ternary (printf "/%s" $plant) "" (ne $plant ""))) }}
{{- end }}
{{- if $plant }}{{ $_ := set $settings "SINEBAR_PLANT" $plant }}{{ end }}
{{- toYaml $settings }}
{{- end }}
