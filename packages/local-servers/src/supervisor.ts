import { pause } from '@sinebar/concurrency';
import type { ServerProcess } from './server-process.ts';

/** A server that this process has started. */
export interface RunningServer {
  /** Process id; changes with a restart. */
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when the server has ended by itself and is not restarted any more, with the reason. */
  readonly ended: Promise<string>;
  /** Stops it in order, with escalation. May be called again. */
  stop(): Promise<void>;
}

export interface ServerLog {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}

export interface RestartOptions {
  log: ServerLog;
  /** Delays before each restart of a server that ended by itself; none: it is not restarted. */
  restartDelaysMs?: readonly number[] | undefined;
  /** Uptime after which all restarts are available again; default 5 minutes. */
  steadyMs?: number | undefined;
  onRestarted?: (() => void) | undefined;
  /** Called when all restarts failed. */
  onGaveUp?: ((error: Error) => void) | undefined;
}

export interface SupervisorOptions extends RestartOptions {
  name: string;
  logFile: string;
  /** Starts the process. @returns once it is ready. @throws the signal's reason when aborted */
  launch: (signal: AbortSignal, isFirst: boolean) => Promise<ServerProcess>;
}

export type ServerState = 'running' | 'restarting' | 'failed' | 'stopped';

/** Starts a server, restarts it when it ends by itself, and stops it. */
export class Supervisor implements RunningServer {
  private readonly end = Promise.withResolvers<string>();
  readonly ended = this.end.promise;
  private readonly options: SupervisorOptions;
  private readonly ending = new AbortController();
  private server: ServerProcess | undefined;
  private current: ServerState = 'stopped';
  private problem = '';
  private attempts = 0;
  private runningSince = 0;
  private restarting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.options = options;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  get logFile(): string {
    return this.options.logFile;
  }

  get state(): { state: ServerState; attempts: number; problem: string } {
    return { state: this.current, attempts: this.attempts, problem: this.problem };
  }

  /** @throws when the server does not become ready; the signal's reason when aborted */
  async start(signal: AbortSignal = this.ending.signal): Promise<void> {
    this.watch(await this.options.launch(AbortSignal.any([signal, this.ending.signal]), true));
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  private async stopOnce(): Promise<void> {
    this.ending.abort(new Error('the server is being stopped'));
    await this.restarting;
    await this.server?.stop();
    this.current = 'stopped';
  }

  private watch(server: ServerProcess): void {
    this.server = server;
    this.current = 'running';
    this.runningSince = Date.now();
    void server.ended.then((how) => {
      if (!this.ending.signal.aborted) this.restarting = this.restart(how);
    });
  }

  private async restart(how: string): Promise<void> {
    const { name, logFile, log, launch, restartDelaysMs = [], steadyMs = 5 * 60_000, onRestarted, onGaveUp } = this.options;
    this.current = 'restarting';
    if (Date.now() - this.runningSince >= steadyMs) this.attempts = 0;
    if (restartDelaysMs.length > 0) log.error({ ending: how, logFile }, `${name} ended by itself; starting it again`);
    let problem = new Error(`${name} keeps ending by itself (${how}; log: ${logFile})`);
    while (this.attempts < restartDelaysMs.length) {
      const delayMs = restartDelaysMs[this.attempts];
      this.attempts++;
      await pause(delayMs ?? 0, this.ending.signal);
      if (this.ending.signal.aborted) return;
      try {
        this.watch(await launch(this.ending.signal, false));
        log.warn({ pid: this.pid }, `${name} runs again`);
        onRestarted?.();
        return;
      } catch (error) {
        if (this.ending.signal.aborted) return;
        problem = error instanceof Error ? error : new Error(String(error));
        log.error({ err: problem, attempt: this.attempts }, `${name} could not be started again`);
      }
    }
    this.current = 'failed';
    this.problem = problem.message;
    this.end.resolve(problem.message);
    onGaveUp?.(problem);
  }
}
