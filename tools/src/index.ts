export { ReverseProxy } from './distributed/proxy.js';
export { patternOf, routeFor, ROUTING, SERVICES, type RoutingRule, type ServiceName } from './distributed/routing.js';
