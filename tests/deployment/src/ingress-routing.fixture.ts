import type { KubernetesObject } from './kubernetes-objects.fixture.ts';

const ANNOTATION = 'nginx.ingress.kubernetes.io/';

export interface IngressSpec {
  tls?: { hosts: string[]; secretName: string }[];
  rules: { host: string; http: { paths: IngressPath[] } }[];
}

interface IngressPath {
  path: string;
  pathType: string;
  backend: { service: { name: string; port: { name: string } } };
}

export const ingressesOf = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ kind }) => kind === 'Ingress')
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      spec: spec as IngressSpec,
      annotation: annotationsOf(metadata.annotations ?? {}),
    }));

const annotationsOf = (annotations: Record<string, string>) => (name: string) => annotations[ANNOTATION + name];

/**
 * Returns the target of a request under ingress-nginx annotations: with `use-regex` the paths of a host are regular
 * expressions without regard to case, anchored at the begin, the longest first; `rewrite-target` replaces what the expression matches.
 */
export function ingressRouteFor(target: string, objects: readonly KubernetesObject[]): { service: string; target: string } | undefined {
  const [path = '', query] = target.split(/\?(.*)/s);
  const rules = ingressesOf(objects).flatMap(({ spec, annotation }) => {
    if (annotation('use-regex') !== 'true') throw new Error('the paths of all Ingresses of a host are regular expressions');
    return spec.rules.flatMap(({ http }) => http.paths.map((rule) => ({ ...rule, rewrite: annotation('rewrite-target') })));
  });
  const found = rules
    .sort((a, b) => b.path.length - a.path.length)
    .map((rule) => ({ ...rule, pattern: new RegExp(`^${rule.path}`, 'i') }))
    .find(({ pattern }) => pattern.test(path));
  if (!found) return undefined;
  const rewritten = found.rewrite === undefined ? path : path.replace(found.pattern, found.rewrite);
  return { service: found.backend.service.name, target: query === undefined ? rewritten : `${rewritten}?${query}` };
}
