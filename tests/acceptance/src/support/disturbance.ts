import { size } from '@sinebar/testing/size';
/** Kind of restarts while the tests of a file run (docs/long-runs.md, the acceptance tests under restarts). */
export type Disturbance = 'services' | 'nats';

export const DISTURBANCE = disturbanceOf(process.env['SINEBAR_TEST_RESTARTS']);

/** Number of test runs while the product is disturbed. */
export const TIMES = size({ short: 1, long: 5 });

/** Effects of the restarts on the tests so far. */
const counts = {
  restarts: 0,
  'requests repeated after 503': 0,
  'of these found done already': 0,
  'sockets that came back': 0,
  'events received again': 0,
  gaps: 0,
};

export function count(what: keyof typeof counts): void {
  counts[what] += 1;
}

export function takeCounts(): typeof counts {
  const taken = { ...counts };
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
  return taken;
}

function disturbanceOf(text: string | undefined): Disturbance | undefined {
  if (text === undefined || text === '') return undefined;
  if (text !== 'services' && text !== 'nats') throw new Error(`SINEBAR_TEST_RESTARTS must be services or nats, not "${text}"`);
  return text;
}
