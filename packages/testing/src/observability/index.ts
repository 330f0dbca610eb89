export * from './promql.ts';
export * from './watched-expressions.ts';
