export { composeInspection, type InspectionDependencies } from './compose.js';
export { inspectionProcessSettings, inspectionSettings, type InspectionSettings } from './config.js';
export { INSPECTION_SCHEMA, inspectionMigrations } from './migrations/index.js';
export { scanMeasurements } from './measurements/codec/values-scanner.js';
export { CharacteristicLists } from './measurements/codec/characteristic-lists.js';
