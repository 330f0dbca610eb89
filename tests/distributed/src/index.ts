export { ReverseProxy } from './proxy.ts';
export { patternOf, routeFor, ROUTING, SERVICES, type RoutingRule, type ServiceName } from './routing.ts';
