import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage when the process is sent SIGUSR2, so that what it holds can be measured from outside. */
export function collectGarbageOnSignal(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => collect());
}
