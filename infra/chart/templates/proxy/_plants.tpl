{{/* Part of the configuration of nginx with the plants behind the proxy; infra/proxy/plants/plants.conf is the same for compose. */}}
{{- define "sinebar.plants" -}}
# The plants below prefixes of the address, each in its namespace.

# Prefix of the names of its upstreams, for each plant. Taken from the address once, before it loses the prefix.
map $uri $plant_prefix {
    default "";
{{- range . }}
    "~*^/+{{ .name }}/" {{ .name }}-;
{{- end }}
}
map $uri $has_prefixes {
    default 1;
}
# Begin of the addresses in error messages.
map $uri $plant_addresses {
    default "{{ range $i, $plant := . }}{{ if $i }} or {{ end }}/{{ $plant.name }}{{ end }}, and behind it with ";
}

# Idle connections are closed before the services do (65 s), so that no request is sent into a closing one.
# max_fails=0: one request that breaks at each replica would otherwise disable the service for ten seconds. A stopped replica refuses at
# once, and its address expires soon.
{{- range $i, $plant := . }}
{{- if $i }}
{{ end }}
{{- range $service := list "inspection" "raw-data" "events" }}
upstream {{ $plant.name }}-{{ $service }} {
    zone {{ $plant.name }}-{{ $service }} 256k;
    {{- if eq $service "events" }}
    sticky route $session_replica;
    {{- end }}
    server {{ ternary "events-replicas" $service (eq $service "events") }}.{{ $plant.namespace }}:8080 resolve max_fails=0;
    keepalive 64;
    keepalive_timeout 55s;
}
{{- end }}
{{- end }}
{{ end }}

{{/* Files of the proxy's configuration, as YAML for their ConfigMap. */}}
{{- define "sinebar.proxyFiles" -}}
nginx.conf: |
  {{- .Files.Get "files/nginx.conf" | nindent 2 }}
plants.conf: |
  {{- if .Values.proxy.plants }}
  {{- include "sinebar.plants" .Values.proxy.plants | nindent 2 }}
  {{- else }}
  {{- .Files.Get "files/plants.conf" | nindent 2 }}
  {{- end }}
trusted-proxies.conf: |
  {{- .Files.Get "files/trusted-proxies.conf" | nindent 2 }}
  {{- range .Values.proxy.trustedProxies }}
  set_real_ip_from {{ . }};
  {{- end }}
{{- end }}
