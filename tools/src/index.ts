export { ReverseProxy } from './distributed/proxy.js';
export { patternOf, routeFor, ROUTING, SERVICES, type ServiceName } from './distributed/routing.js';
