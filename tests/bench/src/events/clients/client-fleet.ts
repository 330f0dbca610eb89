import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export type FleetOrder = { do: 'open'; url: string; auths: readonly unknown[] } | { do: 'begin' } | { do: 'report' } | { do: 'close' };

export interface FleetReport {
  /** Number of events received by all clients since `begin`. */
  total: number;
  /** Number of these events made since `begin`. */
  measured: number;
  /** Time from the creation of an event to its arrival at a client, milliseconds. */
  p50Ms: number;
  p99Ms: number;
  /** Arrival of the last event, in the time of `nowNs`. */
  lastAtNs: number;
}

/** Controls many clients in a separate process. */
export class ClientFleet {
  private readonly child: ChildProcess;

  constructor() {
    this.child = fork(new URL('./fleet-process.ts', import.meta.url).pathname);
  }

  async open(url: string, auths: readonly unknown[]): Promise<void> {
    await this.ask({ do: 'open', url, auths });
  }

  async closeClients(): Promise<void> {
    await this.ask({ do: 'close' });
  }

  async begin(): Promise<void> {
    await this.ask({ do: 'begin' });
  }

  report(): Promise<FleetReport> {
    return this.ask({ do: 'report' });
  }

  /** Waits for `total` events. @returns the last report, after `timeoutMs` at the latest. */
  async received(total: number, timeoutMs: number): Promise<FleetReport> {
    const limit = Date.now() + timeoutMs;
    for (;;) {
      const report = await this.report();
      if (report.total >= total || Date.now() > limit) return report;
      await pause(50);
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.disconnect();
    await once(this.child, 'exit');
  }

  private ask(order: FleetOrder): Promise<FleetReport> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the clients have ended'));
      this.child.once('exit', ended);
      this.child.once('message', (answer: FleetReport | { error: string }) => {
        this.child.off('exit', ended);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer);
      });
      this.child.send(order);
    });
  }
}
