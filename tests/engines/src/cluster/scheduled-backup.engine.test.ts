import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@sinebar/testing';
import type { KubernetesObject } from '../support/cluster-objects.ts';
import { ClusterStack } from '../support/cluster-stack.ts';
import { describeWithCluster } from '../support/describe-with-cluster.ts';
import { send } from '../support/load.ts';

const MINUTES = 60_000;
const NAME = /^\d{4}-\d\d-\d\dT\d{4}Z$/;

interface Job extends KubernetesObject {
  spec: { template: { spec: { containers: { args: string[] }[] } } };
}

describeWithCluster(
  'the CronJob of the chart',
  () => {
    let stack: ClusterStack;

    beforeAll(async () => {
      stack = await ClusterStack.up({ namespace: 'sbkube-backup', form: 'trial-without-volumes', set: ['tools.enabled=true'] });
      const part = randomUUID();
      const headers = { 'content-type': 'application/json' };
      await create('dataServiceRest/parts', headers, JSON.stringify([{ uuid: part, path: 'P:/kept/' }]));
      const file = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="kept.bin"' };
      await create(`rawDataServiceRest/rawData/part/${part}`, file, randomBytes(100_000));
    }, 10 * MINUTES);
    afterAll(async () => await stack?.down(), 4 * MINUTES);

    /** Creates something; repeats the request while the services, which have just started, refuse it with 503. */
    async function create(path: string, headers: Record<string, string>, body: string | Buffer): Promise<void> {
      const accepted = async () => {
        const { status } = await send(`${stack.url()}/${path}`, { method: 'POST', headers, body });
        return status !== 503 && status;
      };
      expect(await eventually(accepted, { timeoutMs: MINUTES, intervalMs: 1000, describe: path })).toBe(201);
    }
    /** Waits until a Job has ended well. @returns what it has printed */
    async function outputOf(job: string): Promise<string> {
      await stack.kubectl(['wait', '--for=condition=Complete', `job/${job}`, '--timeout=240s'], { timeoutMs: 5 * MINUTES });
      return await stack.kubectl(['logs', `job/${job}`]);
    }
    const setSchedule = (spec: object) => stack.kubectl(['patch', 'cronjob/backup', '--patch', JSON.stringify({ spec })]);
    const firstJob = async () =>
      (await stack.kubectl(['get', 'jobs', '--output', 'name']))
        .split('\n')
        .map((line) => line.replace('job.batch/', ''))
        .find((name) => name.startsWith('backup-')) ?? false;

    it(
      'makes a backup at its time, which a Job made from it proves to be restorable',
      async () => {
        await setSchedule({ schedule: '* * * * *' });
        const started = await eventually(firstJob, { timeoutMs: 3 * MINUTES, intervalMs: 1000, describe: 'a Job of the schedule' });
        await setSchedule({ suspend: true });
        const printed = await outputOf(started);
        const [, folder = '', name = ''] = /^(\/backup\/(\S+)): 1 files? \(/m.exec(printed) ?? [];
        expect(name).toMatch(NAME);

        const copy = await stack.kubectl(['create', 'job', 'proof', '--from=cronjob/backup', '--dry-run=client', '--output=json']);
        const job = JSON.parse(copy) as Job;
        job.spec.template.spec.containers[0]!.args = ['test-restore', folder];
        await stack.apply([job]);
        expect(await outputOf('proof')).toContain(`${folder} can be restored`);
      },
      10 * MINUTES,
    );
  },
  { inShort: true },
);
