import type { IncomingMessage } from 'node:http';
import { withTimeout } from '@sinebar/concurrency';
import { errorBodySchema, healthSchema, ServiceError, type Health } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import type { HealthCheck } from './service.ts';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from './interface-versions.ts';

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

const exampleOf = (status: string, detail: string) => ({ status, details: [{ name: 'inspection database', status, detail }] });
const HEALTH_RESPONSES = {
  200: answers.json('Healthy', healthSchema, exampleOf('Healthy', 'answers')),
  503: {
    ...answers.json(
      'Unhealthy; or, in the moment of a failure, an error body',
      z.union([healthSchema, errorBodySchema]),
      exampleOf('Unhealthy', 'does not answer within 2000 ms'),
    ),
    headers: { 'Retry-After': { description: 'Seconds after which another attempt makes sense', example: RETRY_AFTER_SECONDS } },
  },
};

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
  const withPeers = async (own: Promise<HealthCheck[]>, kind: 'ready' | 'live') => [
    ...(await own),
    ...(await Promise.all(options.peers.map((replicas) => askReplicas(replicas.split('|'), kind)))),
  ];
  const open = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  const healthRoute = (path: string, summary: string, find: () => Promise<HealthCheck[]>): Route =>
    defineRoute({
      ...open,
      path: `/healthServiceRest${path}`,
      documentation: { tag: 'Health', summary, responses: HEALTH_RESPONSES, errors: [] },
      handle: async ({ stream }) => healthReply(await find(), await maySeeDetails(stream)),
    });
  return [
    defineRoute({
      ...open,
      path: '/healthServiceRest',
      documentation: {
        tag: 'Health',
        summary: 'Versions of the health interface',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.healthService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.healthService })),
    }),
    healthRoute('/ready', 'Whether the service can do its work', ready),
    healthRoute('/live', 'Whether the process answers', live),
    healthRoute('/all/ready', 'Whether this and the other services can do their work', () => withPeers(ready(), 'ready')),
    healthRoute('/all/live', 'Whether this and the other services answer', () => withPeers(live(), 'live')),
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
  const late = () => new ServiceError('Unavailable', `not done after ${CHECK_TIMEOUT_MS} ms`);
  try {
    return await withTimeout(checks, CHECK_TIMEOUT_MS, late);
  } catch (error) {
    return [{ name: 'checks', healthy: false, detail: error instanceof ServiceError ? error.message : 'failed' }];
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
