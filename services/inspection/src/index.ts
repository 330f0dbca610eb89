export { composeInspection, type InspectionDependencies } from './compose.ts';
export { inspectionProcessSettings, inspectionSettings, type InspectionSettings } from './config.ts';
export { INSPECTION_SCHEMA, inspectionMigrations } from './migrations/index.ts';
export { refuseForeignStream } from './server/stream-owner.ts';
export { scanMeasurements } from './measurements/codec/values-scanner.ts';
export { CharacteristicLists } from './measurements/codec/characteristic-lists.ts';
