export { composeStandalone } from './compose.ts';
export { standaloneSettings } from './config.ts';
