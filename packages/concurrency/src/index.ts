export { BackgroundLoop, type BackgroundLoopOptions, type StepOutcome } from './background-loop.js';
export { errorCode } from './error-code.js';
export { Notifier } from './notifier.js';
export { Semaphore } from './semaphore.js';
export { Shutdown, SHUTDOWN_PHASES, type ShutdownLog, type ShutdownPhase } from './shutdown.js';
export { TurnLimit } from './turn-limit.js';
export { abortable, backoffMs, pause, settlesWithin, withTimeout } from './waiting.js';
