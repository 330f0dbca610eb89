import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeUnless, reportFigures } from '@sinebar/testing';
import { size, IS_LONG } from '@sinebar/testing/size';
import { ChangeFollower } from '../support/events/change-follower.ts';
import { backingOf, serverCrash, serviceCrash, standaloneVictim, type Victim } from '../support/product/crashes.ts';
import { FileLoad } from '../support/files/file-load.ts';
import type { CutKind } from '../support/files/file-uploads.ts';
import { fileProblemsOf, type StoredFile } from '../support/files/file-verdict.ts';
import { figuresOf } from '../support/product/figures.ts';
import { filesBelow, runToEnd, SWEEP } from '../support/product/product.ts';
import { isReady, send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { ownServersKind, variantKinds, type VariantKind } from '../support/product/variants.ts';

/** Rounds of each fault. Servers are killed only where tests take their long sizes. */
const ROUNDS = size({ short: 2, long: 50 });
const MS_PER_ROUND = 90_000;
const WRITERS = 4;
const READERS = 2;
/** Sizes of uploads that a fault hits in their middle. */
const SIZES = [300_000, 3_000_000, 20 * 2 ** 20];
const SHARES = [0.1, 0.5, 0.99];
/** Time between two faults, milliseconds, so that writers make progress. */
const CALM_MS = 400;
const READY_LIMIT_MS = 120_000;
const PROBLEMS_SHOWN = 20;
const SWEEPS = 10;

/** The product, its faults, and what an upload may have left in it. */
interface Patient extends Pick<Victim, 'url' | 'crashes'> {
  /** Sweeps what faults have left. @returns the remaining blobs without a file */
  leftovers: (storedFiles: number) => Promise<string[]>;
  /** Output so far. */
  output: () => string;
}

const cleanUp: (() => Promise<unknown> | void)[] = [];
afterAll(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

async function standalonePatient(variant: Variant): Promise<Patient> {
  const victim = await standaloneVictim(variant, (product) => cleanUp.push(() => product.killAll()));
  cleanUp.push(() => victim.product().stop());
  const below = (folder: string) => filesBelow(join(variant.dataFolder ?? '', folder));
  return {
    url: victim.url,
    crashes: victim.crashes,
    output: () => victim.product().output(),
    leftovers: async (storedFiles) => {
      // The start removes what faults have left.
      await victim.product().stop();
      await victim.startAgain();
      await until('what was ordered is removed', () => below('files').length === storedFiles).catch(() => undefined);
      const extra = below('files').length === storedFiles ? [] : [`${below('files').length} objects for ${storedFiles} files`];
      return [...extra, ...below('spool'), ...below('files/unfinished')];
    },
  };
}

async function distributedPatient(variant: Variant): Promise<Patient> {
  const product = await variant.start();
  cleanUp.push(() => product.stop());
  const { folder, variables } = backingOf(variant);
  const sweep = (...args: string[]) =>
    runToEnd(SWEEP, { ...variant.environment, ...variables }, 60_000, ['--older-than-hours', '0', ...args]);
  return {
    url: product.url,
    output: () => product.output(),
    crashes: {
      s3: serverCrash(variant, 's3'),
      postgres: serverCrash(variant, 'postgres'),
      nats: serverCrash(variant, 'nats'),
      'raw-data': serviceCrash(product, 'raw-data'),
    },
    leftovers: async (storedFiles) => {
      const left = async () => {
        await sweep('--delete');
        const { code, output } = await sweep();
        const wanted = ['"orphans": {\n    "count": 0', '"missing": {\n    "count": 0', `"checkedObjects": ${storedFiles},`];
        const unlike = wanted.filter((text) => !output.includes(text)).map((text) => `not ${text}: ${output}`);
        if (code !== 0) unlike.push(`the sweep ended with ${code}`);
        // The store lists unfinished uploads only to those who know their names; on its disk there is one file for each.
        const unfinished = filesBelow(join(folder, 'minio/.minio.sys/multipart'));
        return [...unlike, ...unfinished, ...filesBelow(variant.environment['SINEBAR_SPOOL_DIR'] ?? '')];
      };
      let last = await left();
      // The service may be about to remove what the sweep has ordered.
      for (let attempt = 0; attempt < SWEEPS && last.length > 0; attempt += 1) last = await left();
      return last;
    },
  };
}

/** Runs the load with the faults in its middle and checks the result. */
async function underLoad(
  name: string,
  { url, leftovers, output }: Patient,
  faults: (load: FileLoad) => Promise<void>,
): Promise<FileLoad['counts']> {
  const begun = Date.now();
  const agent = new Agent({ keepAlive: true });
  cleanUp.push(() => agent.destroy());
  const last = randomUUID();
  const parts = Array.from({ length: WRITERS + 1 }, () => randomUUID() as string);
  const made = await sendJson(
    url,
    'POST',
    '/dataServiceRest/parts',
    [...parts, last].map((uuid) => ({ uuid, path: `P:/${uuid}/` })),
  );
  expect(made.status).toBe(201);
  const follower = new ChangeFollower(url, agent);
  await follower.start();
  const load = new FileLoad(url, parts, agent);
  const stop = load.start(READERS);
  await faults(load);
  await stop();
  await until('the product is ready', () => isReady(url), READY_LIMIT_MS);
  // A change made now has the last event: all others arrive before it.
  await load.create(last, 10);
  await until('the feed is read to its end', () => follower.has('RawDataCreated', last), READY_LIMIT_MS);
  await follower.stop();
  const stored = await readAll(url, [...parts, last], load.problems);
  const problems = fileProblemsOf(load, stored, follower.changes);
  const seconds = Math.round((Date.now() - begun) / 1000);
  reportFigures(`${name}: ${figuresOf(load.counts)}, ${stored.length} files kept, ${follower.changes.length} events, ${seconds} s`);
  if (problems.length > 0) process.stderr.write(`${failuresIn(output()).join('\n')}\n`);
  expect(problems.slice(0, PROBLEMS_SHOWN)).toEqual([]);
  expect(await leftovers((await listing(url, '')).length)).toEqual([]);
  return load.counts;
}

/** Returns log lines of requests that failed with a defect. */
function failuresIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.includes('request failed'))
    .slice(0, 5);
}

async function listing(url: string, target: string): Promise<Omit<StoredFile, 'md5' | 'part'>[]> {
  const answer = await send(url, { path: `/rawDataServiceRest/rawDataInformation/part${target}` });
  expect([target, answer.status]).toEqual([target, 200]);
  return answer.json() as StoredFile[];
}

async function readAll(url: string, parts: readonly string[], problems: string[]): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const part of parts) {
    for (const { key, fileName, size } of await listing(url, `/${part}`)) {
      const { status, bytes } = await send(url, { path: `/rawDataServiceRest/rawData/part/${part}/${key}` });
      if (status !== 200) problems.push(`${fileName} is listed, but its bytes are answered with ${status}`);
      if (bytes.length !== size) problems.push(`${fileName} is listed with ${size} bytes, but has ${bytes.length}`);
      stored.push({ part, key, fileName, size, md5: createHash('md5').update(bytes).digest('hex') });
    }
  }
  return stored;
}

/** Each way to cut an upload. */
function* cuts(): Generator<CutKind> {
  for (const share of SHARES) for (const chunked of [false, true]) yield { share, chunked, reset: Math.random() < 0.5 };
}

const standaloneKind = (await variantKinds()).find(({ name }) => name === 'standalone') as VariantKind;
const PLANS: [VariantKind, (variant: Variant) => Promise<Patient>, string[]][] = [
  [standaloneKind, standalonePatient, ['process', 'database']],
  [await ownServersKind(), distributedPatient, ['s3', 'postgres', 'nats', 'raw-data']],
];

for (const [kind, prepare, victims] of PLANS) {
  describeUnless(kind.missing, `files on ${kind.name}`, () => {
    let patient: Patient;
    beforeAll(async () => {
      const variant = await kind.create();
      cleanUp.push(() => variant.remove());
      patient = await prepare(variant);
      await until('the product is ready', () => isReady(patient.url), READY_LIMIT_MS);
    }, 300_000);

    it(
      `are complete or absent when clients break uploads off, ${ROUNDS} times in each phase`,
      async () => {
        const counts = await underLoad(`${ROUNDS} times cut in each place`, patient, async (load) => {
          const file = await load.create(load.ownPart, 5000);
          for (let round = 0; round < ROUNDS; round += 1) {
            const size = SIZES[round % SIZES.length] ?? 0;
            await Promise.all([...cuts()].map((cut, i) => load.cut(cut, size, i % 2 === round % 2 ? file : undefined)));
          }
        });
        expect(counts.cut).toBe(ROUNDS * SHARES.length * 2);
        expect(counts.unanswered).toBe(0);
      },
      60_000 + ROUNDS * MS_PER_ROUND,
    );

    for (const name of IS_LONG ? victims : []) {
      it(
        `are stored completely with their events when ${name} is killed ${ROUNDS} times during uploads and downloads`,
        async () => {
          const counts = await underLoad(`${name} killed ${ROUNDS} times`, patient, async (load) => {
            for (let round = 0; round < ROUNDS; round += 1) {
              await pause(CALM_MS);
              let crash: Promise<void> | undefined;
              // One crash, in the middle of several uploads.
              const fault = () => (crash ??= patient.crashes[name]?.() ?? Promise.reject(new Error(`no way to kill ${name}`)));
              await Promise.all(SIZES.map((size, i) => load.uploadAround(size, (i + round) % 2 === 0, fault)));
              await until('the product is ready', () => isReady(patient.url), READY_LIMIT_MS);
            }
          });
          // The crashes must have hit the load.
          expect(counts.unanswered + counts.unavailable).toBeGreaterThan(0);
          expect(counts.acknowledged).toBeGreaterThan(ROUNDS);
          expect(counts.reads).toBeGreaterThan(ROUNDS);
        },
        60_000 + ROUNDS * MS_PER_ROUND,
      );
    }
  });
}
