import { setTimeout as pause } from 'node:timers/promises';
import { reportFigures } from '@sinebar/testing';
import { areAllReady, serverCrash, serviceCrash } from './crashes.ts';
import { count, takeCounts, type Disturbance } from '../disturbance.ts';
import { figuresOf } from './figures.ts';
import type { StartedProduct } from './product.ts';
import { until } from '../requests/rest-client.ts';
import type { Variant } from './variant.ts';

const SERVICES = ['inspection', 'raw-data', 'events'];
const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'];
const READY_LIMIT_MS = 120_000;
/**
 * Minimum and maximum time between two stops, milliseconds.
 * A restarted NATS server must catch up first: otherwise two of three would be missing.
 */
const CALM_MS: Readonly<Record<Disturbance, readonly [least: number, most: number]>> = { services: [0, 1_000], nats: [3_000, 5_000] };

/**
 * Wraps a product so that parts of it are restarted all the time: one replica of each service by SIGTERM, in turn, or one NATS server after
 * another by SIGKILL.
 * Its `stop` fails when a part does not become ready again in time.
 */
export function restarting(variant: Variant, disturbance: Disturbance): Variant {
  return {
    ...variant,
    start: async (env = {}) => {
      const servers = disturbance === 'nats' ? { SINEBAR_NATS_SERVERS: '3', SINEBAR_NATS_REPLICAS: '3' } : {};
      const product = await variant.start({ ...env, ...servers, SINEBAR_REPLICAS: '2' });
      await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
      const steps =
        disturbance === 'nats'
          ? NATS_SERVERS.map((server) => [serverCrash(variant, server)])
          : [SERVICES.map((service) => serviceCrash(product, service, 'SIGTERM'))];
      const end = restartInTurn(product, steps, CALM_MS[disturbance]);
      return {
        ...product,
        stop: async (...how) => {
          let taken, exit;
          try {
            await end();
          } finally {
            taken = takeCounts();
            reportFigures(`${disturbance} restarted: ${figuresOf(taken)}`);
            exit = await product.stop(...how);
          }
          // The server itself reports lost events to a client.
          if (taken.gaps > 0) throw new Error(`clients received ${taken.gaps} gaps in the events`);
          return exit;
        },
      };
    },
  };
}

/** @returns a function that ends it and fails when a part did not become ready again */
function restartInTurn(
  product: StartedProduct,
  steps: readonly (readonly (() => Promise<void>)[])[],
  [leastCalmMs, mostCalmMs]: readonly [number, number],
): () => Promise<void> {
  let isOver = false;
  const round = async (ends: readonly (() => Promise<void>)[]) => {
    await Promise.all(ends.map((end) => end()));
    await until('all of it is ready again', () => areAllReady(product), READY_LIMIT_MS);
    ends.forEach(() => count('restarts'));
    await pause(leastCalmMs + (mostCalmMs - leastCalmMs) * Math.random());
  };
  let failure: Error | undefined;
  const running = (async () => {
    for (let turn = 0; !isOver; turn += 1) await round(steps[turn % steps.length] ?? []);
  })().catch((error: unknown) => {
    failure = error as Error;
  });
  return async () => {
    isOver = true;
    await running;
    if (failure) throw failure;
  };
}
