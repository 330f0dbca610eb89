export { ReverseProxy } from './distributed/proxy.ts';
export { patternOf, routeFor, ROUTING, SERVICES, type RoutingRule, type ServiceName } from './distributed/routing.ts';
