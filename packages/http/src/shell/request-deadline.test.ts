import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestDeadline } from './request-deadline.ts';
import type { Deadline } from '../route.ts';

/** The members of request and response that a deadline reads. */
class Exchange {
  readonly socket = { bytesRead: 0, bytesWritten: 0 };
  readonly request = Object.assign(new EventEmitter(), { socket: this.socket, complete: false });
  readonly response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    writableFinished: false,
    headersSent: false,
    destroy: () => undefined,
  });
  readonly deadline = new RequestDeadline(this.request as unknown as IncomingMessage, this.response as unknown as ServerResponse);
}

describe('time limit of a request', () => {
  let exchange: Exchange;
  beforeEach(() => {
    jest.useFakeTimers();
    exchange = new Exchange();
  });
  afterEach(() => {
    exchange.deadline.stop();
    jest.useRealTimers();
  });
  const outcome = () => (exchange.deadline.signal.aborted ? (exchange.deadline.signal.reason as unknown) : 'continues');

  it.each<[Deadline, number]>([
    ['read', 60],
    ['write', 120],
    ['long', 280],
  ])('of kind %s is %i s and ends with 503, also for statements [D10.1]', (kind, seconds) => {
    exchange.deadline.start(kind);
    jest.advanceTimersByTime(seconds * 1000 - 1);
    expect(outcome()).toBe('continues');
    jest.advanceTimersByTime(1);
    expect(outcome()).toMatchObject({ code: 'DeadlineExceeded', status: 503, retryAfterSeconds: expect.any(Number) });
    expect(RequestDeadline.statementTimeoutMs(kind)).toBe(seconds * 1000);
  });

  it('does not end an answer read at 16 KiB/s on average, but one read slower for a minute [D10.1]', () => {
    exchange.request.complete = true;
    exchange.deadline.start('read');
    exchange.deadline.answering();
    exchange.response.writableNeedDrain = true;
    for (let minute = 0; minute < 20; minute += 1) {
      exchange.socket.bytesWritten += 60 * 16 * 1024;
      jest.advanceTimersByTime(60_000);
    }
    expect(outcome()).toBe('continues');
    exchange.socket.bytesWritten += 60 * 16 * 1024 - 1;
    jest.advanceTimersByTime(60_000);
    expect(outcome()).toMatchObject({ code: 'RequestTimeout' });
  });

  it('excludes the time in which the client waits for the answer', () => {
    exchange.request.complete = true;
    exchange.deadline.answering();
    for (let minute = 0; minute < 20; minute += 1) {
      exchange.response.writableNeedDrain = true;
      exchange.socket.bytesWritten += 16 * 1024;
      jest.advanceTimersByTime(1_000);
      exchange.response.writableNeedDrain = false;
      jest.advanceTimersByTime(59_000);
    }
    expect(outcome()).toBe('continues');
  });

  it('is not exceeded by a client that reads as fast as the server writes', () => {
    exchange.request.complete = true;
    exchange.deadline.answering();
    jest.advanceTimersByTime(30 * 60_000);
    expect(outcome()).toBe('continues');
  });

  it('does not apply to an upload while bytes arrive', () => {
    exchange.deadline.start('upload');
    for (let minute = 0; minute < 20; minute += 1) {
      exchange.socket.bytesRead += 1000;
      jest.advanceTimersByTime(60_000);
    }
    expect(outcome()).toBe('continues');
  });

  it('ends an upload 60 s after its last byte [D10.1]', () => {
    exchange.deadline.start('upload');
    exchange.socket.bytesRead += 1000;
    jest.advanceTimersByTime(120_000);
    expect(outcome()).toMatchObject({ code: 'RequestTimeout' });
  });

  it('ends an upload 280 s after its body has arrived [D10.1]', () => {
    exchange.deadline.start('upload');
    exchange.socket.bytesRead += 1000;
    exchange.request.complete = true;
    exchange.request.emit('end');
    jest.advanceTimersByTime(279_999);
    expect(outcome()).toBe('continues');
    jest.advanceTimersByTime(1);
    expect(outcome()).toMatchObject({ code: 'DeadlineExceeded', status: 503 });
  });

  it('ends when the client disconnects', () => {
    exchange.deadline.start('long');
    exchange.response.emit('close');
    expect(outcome()).toMatchObject({ name: 'ClientDisconnected' });
  });
});
