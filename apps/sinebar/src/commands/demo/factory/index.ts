export { FACTORY } from './factory.ts';
export { FACTORY_PARTS, LONG_PART, WIDE_PART } from './plan.ts';
