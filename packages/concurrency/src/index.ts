export { Semaphore } from './semaphore.js';
export { Shutdown, SHUTDOWN_PHASES, type ShutdownLog, type ShutdownPhase } from './shutdown.js';
