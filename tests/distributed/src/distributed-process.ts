import { spawn, type ChildProcess } from 'node:child_process';
import { pause } from '@sinebar/concurrency';
import { killGroup } from '@sinebar/local-servers';
import type { ServiceName } from './routing.ts';

/** Module for `--import`. */
const EXIT_WITH_PARENT = new URL('./exit-with-parent.ts', import.meta.url).href;

export interface ServiceProcessOptions {
  name: ServiceName;
  /** Plant of the service, empty for the only one. */
  plant: string;
  /** Words after `node` that run the service. */
  command: readonly string[];
  /** Port on 127.0.0.1, the same after a restart. */
  port: number;
  environment: NodeJS.ProcessEnv;
  /** True to restart the service half a second after it has ended by itself. */
  restart: boolean;
  /** Receives lines for the terminal. */
  report: (line: string) => void;
  /** Called after a restart with a new process. */
  onStarted: () => void;
}

const RESTART_AFTER_MS = 500;
const POLL_MS = 100;
/** Time limit of a stop, milliseconds: the phases of the services take up to 37 s. */
const STOP_LIMIT_MS = 45_000;

/** One service in a separate process; its output goes to standard error. */
export class ServiceProcess {
  readonly name: ServiceName;
  readonly plant: string;
  readonly url: string;
  private readonly options: ServiceProcessOptions;
  private child: ChildProcess | undefined;
  private ended: Promise<string> = Promise.resolve('not started');
  private stopping = false;
  private wasReady = false;

  constructor(options: ServiceProcessOptions) {
    this.options = options;
    this.name = options.name;
    this.plant = options.plant;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Process id; 0 between the end of the service and its restart. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  start(): void {
    const { command, environment, name, report, onStarted } = this.options;
    // The service has its own process group: Ctrl-C reaches only this process, which then stops the services in order.
    const child = spawn(process.execPath, ['--heap-growing-percent=100', '--import', EXIT_WITH_PARENT, ...command], {
      env: environment,
      stdio: ['ignore', 2, 2, 'ipc'],
      detached: true,
    });
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(`cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(signal === null ? `has ended with exit code ${code}` : `was ended by ${signal}`));
    });
    void this.ended.then(async (how) => {
      if (this.stopping || this.child !== child) return;
      this.child = undefined;
      report(`${name} (pid ${child.pid ?? 'none'}) ${how}`);
      if (!this.options.restart || !this.wasReady) return;
      await pause(RESTART_AFTER_MS);
      if (this.isStopping()) return;
      this.start();
      await this.ready(AbortSignal.timeout(90_000)).then(
        () => report(`${name} is back, pid ${this.pid}`),
        (error: unknown) => report((error as Error).message),
      );
    });
    onStarted();
  }

  /** Resolves when the service reports that it is ready. @throws when it ends before; the signal's reason */
  async ready(signal: AbortSignal): Promise<void> {
    let outcome: string | undefined;
    let last = 'does not answer';
    void this.ended.then((how) => (outcome = how));
    for (;;) {
      const answer = await fetch(`${this.url}/healthServiceRest/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(3000)]),
      }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok === true) break;
      if (answer) last = `answers ${answer.status}`;
      if (outcome !== undefined) throw new Error(`${this.name} ${outcome} before it was ready`);
      if (signal.aborted)
        throw new Error(`${this.name} is not ready (${last}): ${(signal.reason as Error).message}`, { cause: signal.reason });
      await pause(POLL_MS);
    }
    this.wasReady = true;
  }

  /** Sends SIGTERM, then SIGKILL after the limit or when `atOnce` is aborted. */
  async stop(atOnce: AbortSignal, limitMs = STOP_LIMIT_MS): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const { pid } = child;
    const kill = () => killGroup(pid);
    const limit = setTimeout(kill, limitMs);
    if (atOnce.aborted) kill();
    else {
      atOnce.addEventListener('abort', kill, { once: true });
      child.kill('SIGTERM');
    }
    await this.ended;
    clearTimeout(limit);
    atOnce.removeEventListener('abort', kill);
  }

  private isStopping(): boolean {
    return this.stopping;
  }
}
