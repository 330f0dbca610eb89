import type { IncomingMessage } from 'node:http';
import { ServiceError, SUPPORTED_VERSIONS, type Health } from '@sinebar/contracts';
import { healthDocumentation } from './health-documentation.js';
import { defineRoute, reply, type Reply, type Route, type RouteRequest } from '@sinebar/http';
import type { HealthCheck } from './service.js';

export interface HealthOptions {
  check: () => Promise<HealthCheck[]>;
  /** Base addresses of the other services for the aggregated health; `|` separates replicas, of which one is enough. */
  peers: readonly string[];
  isStopping: () => boolean;
  /** Whether the answer may include details; default: no. */
  maySeeDetails?: (request: IncomingMessage) => Promise<boolean>;
}

/** Retry delay in seconds: a restarted backing service is mostly available after it. */
const RETRY_AFTER_SECONDS = '2';
const CHECK_TIMEOUT_MS = 3000;
/** Probes of several observers share one round of checks, milliseconds. */
const CACHE_MS = 500;

/**
 * Makes the health routes: `/ready` checks the dependencies, `/live` only that the process answers.
 * Both also exist aggregated over all services below `/all`.
 */
export function healthRoutes(options: HealthOptions): Route[] {
  const ready = cached(async () => [
    ...(options.isStopping() ? [{ name: 'process', healthy: false, detail: 'is stopping' }] : []),
    ...(await withDeadline(options.check())),
  ]);
  const live = () => Promise.resolve<HealthCheck[]>([]);
  const maySeeDetails = options.maySeeDetails ?? (() => Promise.resolve(false));
  const answer =
    (find: () => Promise<HealthCheck[]>) =>
    async ({ stream }: Pick<RouteRequest<unknown, unknown, unknown>, 'stream'>): Promise<Reply> =>
      healthReply(await find(), await maySeeDetails(stream));
  const withPeers = async (own: Promise<HealthCheck[]>, kind: 'ready' | 'live') => [
    ...(await own),
    ...(await Promise.all(options.peers.map((replicas) => askReplicas(replicas.split('|'), kind)))),
  ];
  const open = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  return [
    defineRoute({
      ...open,
      path: '/healthServiceRest',
      documentation: healthDocumentation.versions,
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.healthService })),
    }),
    defineRoute({ ...open, path: '/healthServiceRest/ready', documentation: healthDocumentation.ready, handle: answer(ready) }),
    defineRoute({ ...open, path: '/healthServiceRest/live', documentation: healthDocumentation.live, handle: answer(live) }),
    defineRoute({
      ...open,
      path: '/healthServiceRest/all/ready',
      documentation: healthDocumentation.allReady,
      handle: answer(() => withPeers(ready(), 'ready')),
    }),
    defineRoute({
      ...open,
      path: '/healthServiceRest/all/live',
      documentation: healthDocumentation.allLive,
      handle: answer(() => withPeers(live(), 'live')),
    }),
  ];
}

function healthReply(checks: readonly HealthCheck[], withDetails: boolean): Reply {
  const word = (healthy: boolean) => (healthy ? 'Healthy' : 'Unhealthy');
  const healthy = checks.every((check) => check.healthy);
  const body: Health = {
    status: word(healthy),
    ...(withDetails && { details: checks.map((check) => ({ name: check.name, status: word(check.healthy), detail: check.detail })) }),
  };
  return reply.json(body, healthy ? 200 : 503, { 'Cache-Control': 'no-store', ...(!healthy && { 'Retry-After': RETRY_AFTER_SECONDS }) });
}

async function askReplicas(replicas: readonly string[], kind: 'ready' | 'live'): Promise<HealthCheck> {
  const checks = await Promise.all(replicas.map((replica) => askPeer(replica, kind)));
  const names = checks.map(({ name }) => name).join(', ');
  return { name: names, healthy: checks.some(({ healthy }) => healthy), detail: checks.map(({ detail }) => detail).join(', ') };
}

async function askPeer(peer: string, kind: 'ready' | 'live'): Promise<HealthCheck> {
  const name = new URL(peer).host;
  try {
    const response = await fetch(`${peer.replace(/\/+$/, '')}/healthServiceRest/${kind}`, {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { name, healthy: response.ok, detail: `answers ${response.status}` };
  } catch (error) {
    return { name, healthy: false, detail: `does not answer (${error instanceof Error ? error.name : 'error'})` };
  }
}

async function withDeadline(checks: Promise<HealthCheck[]>): Promise<HealthCheck[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthCheck[]>((resolve) => {
    timer = setTimeout(
      () => resolve([{ name: 'checks', healthy: false, detail: `not done after ${CHECK_TIMEOUT_MS} ms` }]),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([checks, late]);
  } catch (error) {
    return [{ name: 'checks', healthy: false, detail: error instanceof ServiceError ? error.message : 'failed' }];
  } finally {
    clearTimeout(timer);
  }
}

function cached(run: () => Promise<HealthCheck[]>): () => Promise<HealthCheck[]> {
  let current: { at: number; result: Promise<HealthCheck[]> } | undefined;
  return () => {
    const now = performance.now();
    if (!current || now - current.at > CACHE_MS) current = { at: now, result: run() };
    return current.result;
  };
}
