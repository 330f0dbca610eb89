export { BackgroundLoop, type StepOutcome } from './background-loop.ts';
export { Closing } from './closing.ts';
export { errorCode } from './error-code.ts';
export { Notifier } from './notifier.ts';
export { Semaphore } from './semaphore.ts';
export { Shutdown } from './shutdown.ts';
export { TurnLimit } from './turn-limit.ts';
export { abortable, backoffMs, pause, settlesWithin, withTimeout } from './waiting.ts';
