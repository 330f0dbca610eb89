export * from './policy/access-policy.ts';
export { describeProblem, PolicyError } from './policy/policy-problem.ts';
export { isServerRight } from './policy/rights.ts';
export { policyJsonSchema } from './policy/policy-schema.ts';
export * from './principal.ts';
export { PathScope, rangeEnd, type PathScopeJson } from './path-scope.ts';
