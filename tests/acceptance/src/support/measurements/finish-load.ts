import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { reportFigures } from '@sinebar/testing';
import type { ChangeFollower } from '../events/change-follower.ts';
import { figuresOf } from '../product/figures.ts';
import { sendJson, until } from '../requests/rest-client.ts';
import type { MeasuredPart } from './measurement-content.ts';
import type { MeasurementLoad } from './measurement-load.ts';
import { problemsOf } from './measurement-verdict.ts';

const PROBLEMS_SHOWN = 20;

/** Reads the events of a stopped load to their end, and expects what was acknowledged to be stored and announced. */
export async function finishLoad(
  url: string,
  { load, parts, follower, title }: { load: MeasurementLoad; parts: readonly MeasuredPart[]; follower: ChangeFollower; title: string },
): Promise<void> {
  // A change made now has the last event: all others arrive before it.
  const last = randomUUID();
  expect((await sendJson(url, 'POST', '/dataServiceRest/parts', [{ uuid: last, path: `P:/${last}/` }])).status).toBe(201);
  await until('the feed is read to its end', () => follower.has('PartCreated', last), 60_000);
  await follower.stop();
  const stored = await load.readAll();
  reportFigures(
    `${title}: ${figuresOf(load.counts)}, ${load.doubts.length} in doubt, ${stored.length} measurements kept, ${follower.changes.length} events`,
  );
  expect(problemsOf(load, parts, stored, follower.changes).slice(0, PROBLEMS_SHOWN)).toEqual([]);
  // The failures must have hit the load.
  expect(load.counts.unanswered + load.counts.unavailable).toBeGreaterThan(0);
}
