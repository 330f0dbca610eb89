export const SERVICES = ['inspection', 'raw-data', 'events'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface RoutingRule {
  /** Start of the path, without a trailing slash; it matches in any case, alone or followed by `/`. Empty and `exact`: the address `/`. */
  prefix: string;
  /** Whether only the prefix itself matches, with or without a trailing slash. */
  exact?: boolean;
  service: ServiceName;
  /** Path to request instead; by default the address is forwarded unchanged. */
  rewrite?: string;
  /** Whether the rule allows WebSocket upgrades and keeps a client on one replica: Engine.IO and SignalR keep a session in one process. */
  sockets?: boolean;
}

/**
 * Routing table: the first matching rule applies.
 * `infra/proxy/nginx.conf` holds the same table, which a test compares.
 * spec: decisions.md 1.1, 1.2
 */
export const ROUTING: readonly RoutingRule[] = [
  // The public health covers all services; each service reports only itself at the plain address.
  { prefix: '/healthServiceRest/ready', exact: true, service: 'inspection', rewrite: '/healthServiceRest/all/ready' },
  { prefix: '/healthServiceRest/live', exact: true, service: 'inspection', rewrite: '/healthServiceRest/all/live' },
  { prefix: '/healthServiceRest', service: 'inspection' },
  { prefix: '/dataServiceRest', service: 'inspection' },
  { prefix: '/analysisServiceRest', service: 'inspection' },
  { prefix: '/alarmServiceRest', service: 'inspection' },
  { prefix: '/reportServiceRest', service: 'inspection' },
  { prefix: '/exchangeServiceRest', service: 'inspection' },
  { prefix: '/oAuthServiceRest', service: 'inspection' },
  { prefix: '/docs', service: 'inspection' },
  { prefix: '/console', service: 'inspection' },
  // Leads browsers to the console.
  { prefix: '', exact: true, service: 'inspection' },
  { prefix: '/rawDataServiceRest', service: 'raw-data' },
  { prefix: '/events', service: 'events', sockets: true },
  { prefix: '/socket.io', service: 'events', sockets: true },
  { prefix: '/eventServiceRest', service: 'events', sockets: true },
  { prefix: '/.well-known/ServerConfiguration', exact: true, service: 'events' },
];

const RULES = ROUTING.map((rule) => ({ rule, pattern: new RegExp(patternOf(rule), 'i') }));

/** Returns the rule as a regular expression that JavaScript and nginx share. */
export function patternOf(rule: RoutingRule): string {
  // Several slashes are one: the services see the address as it was sent, and merge them too.
  const prefix = rule.prefix.replaceAll('.', String.raw`\.`).replaceAll('/', '/+');
  if (prefix === '') return '^/+$';
  return rule.exact ? `^${prefix}/?$` : `^${prefix}(/|$)`;
}

/**
 * @param target address of the request line, with query
 * @returns the rule and the address for the service, or `undefined` for an unknown address
 */
export function routeFor(target: string): { rule: RoutingRule; target: string } | undefined {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const found = RULES.find(({ pattern }) => pattern.test(path));
  if (!found) return undefined;
  const { rule } = found;
  return { rule, target: rule.rewrite === undefined ? target : rule.rewrite + target.slice(path.length) };
}
