export { writeDemo } from './fill.js';
export { CHARACTERISTICS, PARTS, PRODUCTS } from './plan.js';
