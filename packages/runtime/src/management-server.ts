import { createServer, type Server } from 'node:http';
import { errorCode } from '@sinebar/concurrency';
import { z } from 'zod';
import { type BrowserGuard, createHttpApp, closeHttpServer, createHttpServer, listen, defineRoute, reply, type Route } from '@sinebar/http';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ServerSettings } from './settings/server-settings.ts';
import { SettingsError } from './settings/settings.ts';

export interface ManagementOptions {
  host: string;
  /** Port; 0 for a free one. */
  port: number;
  metrics: Metrics;
  health: readonly Route[];
  guard: BrowserGuard;
  log: Logger;
}

/** Time for a running scrape to end at shutdown, milliseconds. */
const GRACE_MS = 1000;

/**
 * Starts the management address for operators: `/metrics` in the text format of Prometheus, and the health resources.
 * @throws SettingsError when the address is not available
 */
export async function startManagement(options: ManagementOptions): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, guard, log } = options;
  const server = createHttpServer(createHttpApp({ routes: [metricsRoute(options.metrics), ...options.health], guard, log }));
  return { port: await listenThere(server, port, host), close: () => closeHttpServer(server, GRACE_MS) };
}

/** Checks that the management address is available, for a process that prepares much before it listens. @throws SettingsError */
export async function tryManagementAddress(
  settings: Pick<ServerSettings, 'SINEBAR_MANAGEMENT_HOST' | 'SINEBAR_MANAGEMENT_PORT'>,
): Promise<void> {
  const { SINEBAR_MANAGEMENT_HOST: host, SINEBAR_MANAGEMENT_PORT: port } = settings;
  if (port === 'off') return;
  const probe = createServer();
  await listenThere(probe, port, host);
  await closeHttpServer(probe, 0);
}

async function listenThere(server: Server, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    throw new SettingsError([addressProblem(error, host, port)]);
  }
}

function metricsRoute(metrics: Metrics): Route {
  return defineRoute({
    method: 'GET',
    path: '/metrics',
    permission: 'open',
    deadline: 'read',
    documentation: {
      tag: 'Operation',
      summary: 'Figures for Prometheus',
      responses: { 200: { description: 'The figures', content: { schema: z.string(), example: '# EOF', contentType: 'text/plain' } } },
      errors: [],
    },
    handle: async () => {
      const text = await metrics.text();
      return reply.stream({ 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }, (sink) => {
        sink.write(text);
        return Promise.resolve();
      });
    },
  });
}

function addressProblem(error: unknown, host: string, port: number): string {
  const code = errorCode(error) ?? String(error);
  const other = 'choose another port, 0 for a free one, or off for none';
  if (code === 'EADDRINUSE') return `SINEBAR_MANAGEMENT_PORT: port ${port} of ${host} is taken by another program; ${other}`;
  if (code === 'EACCES') return `SINEBAR_MANAGEMENT_PORT: this user may not listen on port ${port}; ${other}`;
  return `SINEBAR_MANAGEMENT_HOST: ${host} is no address of this computer (${code})`;
}
