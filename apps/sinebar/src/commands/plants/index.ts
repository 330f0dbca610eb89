export { createPlant } from './create-plant.ts';
export { openPlant } from './plant-store.ts';
