import type { Route, UndocumentedRoute } from './route.ts';

/** Defines a route for a test, without documentation. */
export function testRoute<P = unknown, Q = unknown, B = unknown>(route: UndocumentedRoute<P, Q, B>): Route {
  return {
    ...(route as unknown as UndocumentedRoute<unknown, unknown, unknown>),
    documentation: { tag: 'Tests', summary: 'A test', responses: {}, errors: [] },
  };
}
