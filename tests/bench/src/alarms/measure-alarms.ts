import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { median, percentile, ratio, table, timed } from '../figures.ts';
import type { MeasuredPart } from '../measurements/measured-part.ts';
import { createMeasuredPlan } from '../measurements/measured-plan.ts';
import { reachableDatabase, type Product } from '../product.ts';
import { fetchDone, send } from '../rest-calls.ts';

const PARTS = 10;
const CHARACTERISTICS = 200;
/** One measurement of a hundred has a value that is wrong. */
const MEASUREMENTS = 5000;
const PER_ALARM = 100;
const ROUNDS = 7;
const BODIES_PER_ROUND = 20;
const PER_BODY = 100;
/** Measurements of the backlog: a million values. */
const BACKLOG = 5000;
const POLL_MS = 5;
/** A webhook that is not received by then never comes. */
const RECEIVED_WITHIN_MS = 120_000;
/** Lock of the job that judges; whoever has it keeps the job from working. */
const LOCK = `hashtextextended('sinebar alarms inspection', 0)`;

/** Measures how soon values raise alarms, what judging costs writers, and how fast a backlog is judged. */
export async function measureAlarms(product: Product): Promise<string> {
  const client = new pg.Client({ connectionString: reachableDatabase(product), options: '-c search_path=inspection' });
  await client.connect();
  try {
    const parts = await createMeasuredPlan(product.url, PARTS, CHARACTERISTICS);
    const rules = { rules: ['nelson1'], stages: [{ limits: { kind: 'given', centerLine: 0, sigma: 1000 } }], reason: 'bench' };
    for (const { uuid } of parts) await putEvaluation(product.url, uuid, rules);
    const posts = new Posts(product.url, parts);
    const { stored, received } = await measureDelays(product.url, posts, client);
    const cost = await measureCost(posts, client);
    const backlog = await measureBacklog(posts, client);
    return table(
      [`alarms, ${product.name}`, 'measured', 'goal'],
      [
        ['from the answer of POST to the alarm with its event, p50', `${percentile(stored, 0.5).toFixed(0)} ms`, ''],
        ['the same, p99', `${percentile(stored, 0.99).toFixed(0)} ms`, ''],
        ['from the answer of POST to the webhook, p50', `${percentile(received, 0.5).toFixed(0)} ms`, ''],
        ['the same, p99', `${percentile(received, 0.99).toFixed(0)} ms`, 'at most 1,000 ms'],
        ['POST of 100 measurements, time with the judge / without', cost.toFixed(2), 'at most 1.10'],
        ['backlog of 1,000,000 old values, rate of judging / of POST', backlog.toFixed(2), 'at least 0.5'],
      ],
    );
  } finally {
    await client.end();
  }
}

/** Writes measurements whose values are within all limits, but for one. */
class Posts {
  private readonly url: string;
  private readonly parts: readonly MeasuredPart[];
  private next = 0;

  constructor(url: string, parts: readonly MeasuredPart[]) {
    this.url = url;
    this.parts = parts;
  }

  /** @returns the uuid of the first measurement */
  async post(count: number, { isWrong = false, ageMs = 0 } = {}): Promise<string> {
    const body = Array.from({ length: count }, () => this.measurement(isWrong, ageMs));
    await send(this.url, 'POST', 'values', body);
    return body[0]!.uuid;
  }

  private measurement(isWrong: boolean, ageMs: number) {
    const number = this.next++;
    const { uuid, characteristics } = this.parts[number % this.parts.length]!;
    const value = (k: number) => (isWrong && k === 0 ? 5000 : 10 + (k % 50) + ((number * 7 + k) % 10) / 1000);
    return {
      uuid: randomUUID(),
      partUuid: uuid,
      attributes: { 4: new Date(Date.now() - ageMs + (ageMs > 0 ? number * 1000 : 0)).toISOString() },
      characteristics: Object.fromEntries(characteristics.map((id, k) => [id, { 1: String(value(k)) }])),
    };
  }
}

async function measureDelays(url: string, posts: Posts, client: pg.Client): Promise<{ stored: number[]; received: number[] }> {
  const [stored, received]: [number[], number[]] = [[], []];
  const receiver = await startReceiver();
  try {
    await subscribe(url, receiver.url);
    const waiting: Promise<void>[] = [];
    for (let i = 0; i < MEASUREMENTS; i += 1) {
      const isWrong = i % PER_ALARM === PER_ALARM - 1;
      const uuid = await posts.post(1, { isWrong });
      if (!isWrong) continue;
      const begun = performance.now();
      waiting.push(alarmOf(client, uuid).then(() => void stored.push(performance.now() - begun)));
      waiting.push(receiver.of(uuid).then((at) => void received.push(at - begun)));
    }
    await Promise.all(waiting);
  } finally {
    await receiver.close();
  }
  return { stored, received };
}

interface Receiver {
  url: string;
  /** Resolves with the time at which an alarm about a measurement came, milliseconds of `performance.now`. */
  of: (measurementUuid: string) => Promise<number>;
  close: () => Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const at = performance.now();
      const { data } = JSON.parse(body) as { data: { alarms: { measurementUuid?: string }[] } };
      for (const { measurementUuid = '' } of data.alarms) if (!received.has(measurementUuid)) received.set(measurementUuid, at);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms`,
    of: async (measurementUuid) => {
      const begun = performance.now();
      while (!received.has(measurementUuid)) {
        if (performance.now() - begun > RECEIVED_WITHIN_MS)
          throw new Error(`No webhook about the measurement ${measurementUuid} came within ${RECEIVED_WITHIN_MS} ms.`);
        await pause(POLL_MS);
      }
      return received.get(measurementUuid)!;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function subscribe(url: string, receiver: string): Promise<void> {
  return fetchDone(`${url}/alarmServiceRest/subscriptions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ receiver: { kind: 'webhook', url: receiver, shape: 'standard' }, partPath: '/', kinds: ['rule'] }),
  });
}

async function alarmOf(client: pg.Client, measurementUuid: string): Promise<void> {
  const statement = `SELECT FROM alarm_point point JOIN measurement m ON m.id = point.measurement_id WHERE m.uuid = $1 LIMIT 1`;
  while ((await client.query(statement, [measurementUuid])).rowCount === 0) await pause(POLL_MS);
}

/** Compares rounds with and without the row that has the values judged. */
async function measureCost(posts: Posts, client: pg.Client): Promise<number> {
  const [judged, without]: [number[], number[]] = [[], []];
  const round = () =>
    timed(async () => {
      for (let i = 0; i < BODIES_PER_ROUND; i += 1) await posts.post(PER_BODY);
    });
  await round();
  for (let i = 0; i < ROUNDS; i += 1) {
    await settled(client);
    judged.push(await round());
    await settled(client);
    await client.query('CREATE RULE unjudged AS ON INSERT TO alarm_change DO INSTEAD NOTHING');
    without.push(await round());
    await client.query('DROP RULE unjudged ON alarm_change');
  }
  return Number(ratio(median(judged), median(without)));
}

async function measureBacklog(posts: Posts, client: pg.Client): Promise<number> {
  await settled(client);
  await client.query(`SELECT pg_advisory_lock(${LOCK})`);
  const writtenMs = await timed(async () => {
    for (let i = 0; i < BACKLOG / PER_BODY; i += 1) await posts.post(PER_BODY, { ageMs: 30 * 86_400_000 });
  });
  await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
  const judgedMs = await timed(async () => {
    while ((await client.query('SELECT FROM alarm_change LIMIT 1')).rowCount !== 0) await pause(POLL_MS);
  });
  return writtenMs / judgedMs;
}

/** Waits until everything is judged and assessed. */
async function settled(client: pg.Client): Promise<void> {
  const waiting =
    '(SELECT FROM alarm_change LIMIT 1) UNION ALL (SELECT FROM figure_change LIMIT 1) UNION ALL (SELECT FROM assessment_change LIMIT 1)';
  while ((await client.query(waiting)).rowCount !== 0) await pause(POLL_MS);
}

function putEvaluation(url: string, part: string, state: object): Promise<void> {
  return fetchDone(`${url}/analysisServiceRest/parts/${part}/evaluation`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(state),
  });
}
