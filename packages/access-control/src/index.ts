export * from './policy/access-policy.js';
export { describeProblem, PolicyError, type PolicyProblem } from './policy/policy-problem.js';
export { isServerRight } from './policy/rights.js';
export { policyJsonSchema, type PolicyDocument } from './policy/policy-schema.js';
export * from './principal.js';
export { isReadable, rangeEnd, readableCondition, type PathRange, type ReadableParts, type SqlCondition } from './readable-parts.js';
