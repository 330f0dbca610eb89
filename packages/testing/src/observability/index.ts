export * from './promql.js';
export * from './watched-expressions.js';
