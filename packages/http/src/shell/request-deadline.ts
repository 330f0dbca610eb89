import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@sinebar/contracts';
import { ClientDisconnected } from '../client-disconnected.ts';
import { DEADLINE_MS, type Deadline } from '../route.ts';

/** Time without any transferred byte after which a transfer is aborted, milliseconds. */
const STALL_MS = 60_000;

/** Minimum rate at which a client must read its answer. */
export interface TransferPace {
  /** Average bytes per second over the window. */
  leastBytesPerS: number;
  /** Time in which the answer waits for the client, milliseconds; time in which the client waits does not count. */
  windowMs: number;
  /** Interval between two checks, milliseconds. */
  lookMs: number;
}

const PACE: TransferPace = { leastBytesPerS: 16 * 1024, windowMs: STALL_MS, lookMs: 1_000 };

/** Minimum rate at which an upload reaches its store, bytes per millisecond. */
const MIN_STORE_BYTES_PER_MS = 10_000;

/**
 * Time limit of a request as an abort signal.
 * A total limit applies until the first byte of the answer; for uploads and after the first byte, a limit on the time without progress. A
 * disconnected client also aborts.
 * spec: decisions.md 10.1
 */
export class RequestDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;

  private readonly pace: TransferPace;

  constructor(request: IncomingMessage, response: ServerResponse, pace = PACE) {
    this.pace = pace;
    this.request = request;
    this.response = response;
    response.once('close', () => {
      this.stop();
      if (!response.writableFinished) this.controller.abort(new ClientDisconnected());
    });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Returns the time limit for one statement of the request, milliseconds. */
  static statementTimeoutMs(deadline: Deadline): number {
    return deadline === 'upload' ? DEADLINE_MS.long : DEADLINE_MS[deadline];
  }

  start(deadline: Deadline): void {
    if (deadline === 'upload') {
      this.limitStalls(() =>
        this.abort(new ServiceError('RequestTimeout', `No data arrived for ${STALL_MS / 1000} s, so the upload was ended. Send it again.`)),
      );
      // After the body has arrived, the server works without moving bytes on the client's socket.
      this.request.once('end', () => {
        if (!this.response.headersSent) this.limitTotal(DEADLINE_MS.long + this.request.socket.bytesRead / MIN_STORE_BYTES_PER_MS);
      });
    } else {
      this.limitTotal(DEADLINE_MS[deadline]);
    }
  }

  /** Replaces the time limit by the minimum rate: only a client that reads too slowly ends the request. */
  answering(): void {
    this.stop();
    const { leastBytesPerS, windowMs, lookMs } = this.pace;
    let waitedMs = 0;
    let taken = 0;
    let seen = this.moved;
    const look = () => {
      const { moved } = this;
      if (this.isUntaken || !this.request.complete) {
        waitedMs += lookMs;
        taken += moved - seen;
      }
      seen = moved;
      if (waitedMs >= windowMs) {
        if (taken * 1000 < leastBytesPerS * windowMs) {
          const limit = `It must take ${leastBytesPerS} a second.`;
          this.abort(new ServiceError('RequestTimeout', `The client took ${taken} bytes in ${windowMs / 1000} s. ${limit}`));
          // A written answer that the client does not read has nothing else that would end it.
          this.response.destroy();
          return;
        }
        waitedMs = 0;
        taken = 0;
      }
      this.timer = setTimeout(look, lookMs);
    };
    this.timer = setTimeout(look, lookMs);
  }

  /** Transferred bytes of the answer and of a body that is still arriving. Bytes in flight count for the client. */
  private get moved(): number {
    const { socket, complete } = this.request;
    return socket.bytesWritten + (complete ? 0 : socket.bytesRead);
  }

  /** True if the answer waits for the client, not the client for the answer. */
  private get isUntaken(): boolean {
    return this.response.writableNeedDrain || (this.response.writableEnded && !this.response.writableFinished);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private limitTotal(limitMs: number): void {
    this.stop();
    const error = () =>
      new ServiceError('DeadlineExceeded', `The request took longer than ${limitMs / 1000} s and was stopped. Nothing was changed.`, {
        retryAfterSeconds: 10,
      });
    this.timer = setTimeout(() => this.abort(error()), limitMs);
  }

  private limitStalls(onStall: () => void): void {
    this.stop();
    const socket = this.request.socket;
    let seen = -1;
    const look = () => {
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved === seen && (this.isUntaken || !this.request.complete)) {
        onStall();
        return;
      }
      seen = moved;
      this.timer = setTimeout(look, STALL_MS);
    };
    look();
  }

  private abort(error: Error): void {
    this.stop();
    this.controller.abort(error);
  }
}
