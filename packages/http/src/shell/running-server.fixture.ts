import type { Server } from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { closeHttpServer, createHttpServer, listen } from '../http-server.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpAppOptions } from './http-app-options.ts';

const CLOSE_TIMEOUT_MS = 100;

export interface RunningServer {
  server: Server;
  port: number;
}

/** Runs a server during the tests of a describe block. The members are there when the first test begins. */
export function runningServer(options: Omit<HttpAppOptions, 'log'>): RunningServer {
  const running = {} as RunningServer;
  beforeAll(async () => {
    running.server = createHttpServer(createHttpApp({ ...options, log: createLogger({ service: 'test', level: 'silent' }) }));
    running.port = await listen(running.server, 0, '127.0.0.1');
  });
  afterAll(() => closeHttpServer(running.server, CLOSE_TIMEOUT_MS));
  return running;
}
