export * from './policy/access-policy.js';
export { describeProblem, PolicyError, type PolicyProblem } from './policy/policy-problem.js';
export { isServerRight } from './policy/rights.js';
export { policyJsonSchema, type PolicyDocument } from './policy/policy-schema.js';
export * from './principal.js';
export { PathScope, rangeEnd, type PathScopeJson } from './path-scope.js';
