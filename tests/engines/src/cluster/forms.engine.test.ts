import { afterAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@sinebar/testing';
import { send } from '../support/load.ts';
import { find, type KubernetesObject } from '../support/cluster-objects.ts';
import { ADMINISTRATOR, basic, ClusterStack } from '../support/cluster-stack.ts';
import { describeWithCluster } from '../support/describe-with-cluster.ts';

const FILE_BYTES = 4 * 2 ** 20;
const UPLOADS = 6;
/** Time within which a request must be answered when its store dies. */
const ANSWER_MS = 10_000;

const urlOfPart = (base: string, part: string) => `${base}/rawDataServiceRest/rawData/part/${part}`;

async function createPart(base: string, authorization?: string): Promise<string> {
  const uuid = randomUUID();
  const { status } = await send(`${base}/dataServiceRest/parts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify([{ uuid, path: `P:/part ${uuid}/` }]),
  });
  expect(status).toBe(201);
  return uuid;
}

function upload(base: string, part: string, body: Buffer, authorization?: string): Promise<{ status: number; body: Buffer }> {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="file.bin"',
    ...(authorization !== undefined && { authorization }),
  };
  return send(urlOfPart(base, part), { method: 'POST', headers, body });
}

describeWithCluster('the trial', () => {
  let stack: ClusterStack;
  afterAll(async () => await stack?.down(), 240_000);

  it('waits for the migrations, and starts when they are done', async () => {
    const migrations: KubernetesObject[] = [];
    stack = await ClusterStack.create({
      namespace: 'sbkube-demo',
      form: 'trial',
      change: (objects) => {
        for (const name of ['migrate-inspection', 'migrate-raw-data']) {
          const job = find(objects, 'Job', name);
          migrations.push(job);
          objects.splice(objects.indexOf(job), 1);
        }
      },
    });
    await stack.kubectl(['wait', '--for=condition=Complete', 'job', '--all', '--timeout=300s'], { timeoutMs: 310_000 });
    // Longer than two probes: only time shows that a pod stays unready.
    await pause(15_000);
    const waiting = [...(await stack.pods('inspection')), ...(await stack.pods('raw-data'))];
    expect(waiting.map(({ isReady }) => isReady)).toEqual([false, false]);
    await stack.apply(migrations);
    await stack.ready();
    await eventually(async () => expect((await send(`${stack.url()}/healthServiceRest/ready`)).status).toBe(200), { timeoutMs: 60_000 });
  }, 800_000);

  it('answers requests in flight within 10 s when the pod of the S3 store dies, and serves again when it is back', async () => {
    const part = await createPart(stack.url());
    const content = randomBytes(FILE_BYTES);
    const stored = await upload(stack.url(), part, content);
    expect(stored.status).toBe(201);
    const { key } = JSON.parse(stored.body.toString()) as { key: number };
    const outcomes: { status: number | string; sentMs: number; endedMs: number }[] = [];
    let isStopping = false;
    const record = async (act: () => Promise<{ status: number }>) => {
      const sentMs = performance.now();
      const status = await act().then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      outcomes.push({ status, sentMs, endedMs: performance.now() });
      await pause(20);
    };
    const write = async () => {
      while (!isStopping) await record(() => upload(stack.url(), part, content));
    };
    const read = async () => {
      while (!isStopping) await record(() => send(`${urlOfPart(stack.url(), part)}/${key}`));
    };
    const clients = [...Array.from({ length: UPLOADS }, write), ...Array.from({ length: UPLOADS }, read)];
    // Requests are in flight in all their phases by then.
    await pause(5000);
    const killedMs = performance.now();
    await stack.kubectl(['delete', 'pod', 's3-0', '--grace-period=0', '--force']);
    await stack.kubectl(['rollout', 'status', 'statefulset/s3', '--timeout=120s'], { timeoutMs: 130_000 });
    // Longer than any answer may take: the requests in flight are what is measured.
    await pause(2 * ANSWER_MS);
    isStopping = true;
    await Promise.all(clients);
    const afterwards = outcomes.filter(({ endedMs }) => endedMs > killedMs);
    const longestMs = Math.max(...afterwards.map(({ sentMs, endedMs }) => endedMs - Math.max(sentMs, killedMs)));
    const counts: Record<string, number> = {};
    for (const { status } of afterwards) counts[status] = (counts[status] ?? 0) + 1;
    process.stderr.write(`after the S3 pod died: ${JSON.stringify(counts)}, the longest wait was ${Math.round(longestMs)} ms\n`);
    expect(longestMs).toBeLessThan(ANSWER_MS);
    // A download that has begun can only break.
    expect(Object.keys(counts).filter((status) => !['200', '201', '503', 'aborted'].includes(status))).toEqual([]);
    expect((await upload(stack.url(), part, content)).status).toBe(201);
    expect((await send(`${urlOfPart(stack.url(), part)}/${key}`)).body.equals(content)).toBe(true);
  }, 400_000);
});

describeWithCluster('single services, in namespaces of their own', () => {
  const stacks = new Map<string, ClusterStack>();
  const storesIn = 'sbkube-inspection-only';
  const authorization = basic(ADMINISTRATOR);
  afterAll(async () => {
    for (const stack of stacks.values()) await stack.down();
  }, 500_000);

  it.each(['inspection', 'raw-data', 'events'])(
    'start with %s',
    async (service) => {
      const form = `${service}-only`;
      const stack = await ClusterStack.up({
        namespace: `sbkube-${form}`,
        form,
        published: [service],
        ...(service === 'inspection' ? { change: openStores } : { storesIn }),
      });
      stacks.set(service, stack);
      expect((await send(`${stack.url(service)}/healthServiceRest/ready`)).status).toBe(200);
    },
    600_000,
  );

  it('work together over NATS', async () => {
    const urlOf = (service: string) => stacks.get(service)?.url(service) ?? '';
    const feed = `${urlOf('events')}/eventServiceRest/changes`;
    const { next } = JSON.parse((await send(feed, { headers: { authorization } })).body.toString()) as { next: string };
    const part = await createPart(urlOf('inspection'), authorization);
    expect((await upload(urlOf('raw-data'), part, randomBytes(1000), authorization)).status).toBe(201);
    await eventually(
      async () => {
        const text = (await send(`${feed}?after=${encodeURIComponent(next)}`, { headers: { authorization } })).body.toString();
        for (const word of ['PartCreated', 'RawDataCreated', part]) expect(text).toContain(word);
      },
      { timeoutMs: 30_000 },
    );
  }, 120_000);

  /** The policies of the trial's stores admit only pods of their own namespace. */
  function openStores(objects: KubernetesObject[]): void {
    for (const name of ['postgres', 'nats', 's3']) objects.splice(objects.indexOf(find(objects, 'NetworkPolicy', name)), 1);
  }
});
