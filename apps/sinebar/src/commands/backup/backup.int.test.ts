import { createHash, randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeVersionOf } from '@sinebar/database';
import { inspectionMigrations } from '@sinebar/inspection';
import { rawDataMigrations } from '@sinebar/raw-data';
import { eventually } from '@sinebar/testing';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { COULD_NOT_CHECK, doctorCommand } from '../doctor/doctor-command.ts';
import { backupCommand } from './backup-command.ts';
import { expectRestored, keepWriting, rowsOf } from './continuous-writes.fixture.ts';
import { MANIFEST_FILE, readManifest, rowsFile, type Manifest } from './manifest.ts';
import { restoreCommand } from './restore-command.ts';

let root: string;
let original: RunningSinebar;
let manifest: Manifest;
const in_ = (dataDir: string) => ({ SINEBAR_DATA_DIR: join(root, dataDir) });

let umask: number;
beforeAll(async () => {
  // Started processes inherit the umask.
  umask = process.umask(0);
  root = await mkdtemp(join(tmpdir(), 'sinebar-backup-'));
  original = await startSinebar(join(root, 'data'));
}, 120_000);
afterAll(async () => {
  process.umask(umask);
  await original.stop();
  await rm(root, { recursive: true, force: true });
});

describe('backup and restore of a data folder', () => {
  let copy: RunningSinebar;
  let before: string[];
  afterAll(async () => {
    await copy?.stop();
  });

  it('copies one moment during writes, and finds no problem', async () => {
    const stop = new AbortController();
    const acknowledged: string[] = [];
    const writing = [0, 1, 2].map((worker) => keepWriting(original.client, worker, stop.signal, acknowledged));
    try {
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(100), { timeoutMs: 60_000 });
      before = [...acknowledged];
      const result = await typed(backupCommand, [join(root, 'backup')], in_('data'));
      expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('rows and') });
      expect(acknowledged.length).toBeGreaterThan(before.length);
      expect(await typed(doctorCommand, ['--thorough'], in_('data'), COULD_NOT_CHECK)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Everything is in order.'),
      });
    } finally {
      stop.abort();
      await Promise.all(writing);
    }
    manifest = await readManifest(join(root, 'backup'));
    expect(manifest).toMatchObject({
      schemas: { inspection: codeVersionOf(inspectionMigrations), raw_data: codeVersionOf(rawDataMigrations) },
      missing: [],
    });
    expect(rowsOf(manifest, 'measurement')).toBeGreaterThanOrEqual(before.length);
    expect(manifest.files.count).toBe((rowsOf(manifest, 'raw_data_object') ?? 0) + (rowsOf(manifest, 'thumbnail') ?? 0));
  }, 120_000);

  it('is not readable for other accounts, whatever the umask', async () => {
    const paths = (await readdir(root, { recursive: true })).map((name) => join(root, name));
    const wide: string[] = [];
    for (const path of paths) {
      // PostgreSQL removes its files while it runs.
      const found = await stat(path).catch(() => undefined);
      if (found && (found.mode & 0o077) !== 0) wide.push(path);
    }
    expect(paths).toContain(join(root, 'backup', MANIFEST_FILE));
    expect(wide).toEqual([]);
  });

  it('keeps no unfinished copy, and no other files beside it', async () => {
    expect((await readdir(root)).sort()).toEqual(['backup', 'data']);
  });

  it('restores everything in another folder', async () => {
    expect(await typed(restoreCommand, [join(root, 'backup')], in_('copy'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm start'),
    });
    expect((await typed(doctorCommand, ['--older-than-hours', '0'], in_('copy'), COULD_NOT_CHECK)).code).toBe(0);
    copy = await startSinebar(join(root, 'copy'));
    await expectRestored(copy.client, manifest, before);
    expect(await typed(doctorCommand, ['--older-than-hours', '0'], in_('copy'), COULD_NOT_CHECK)).toMatchObject({ code: 0 });
  }, 120_000);

  it('works in the other folder, with new numbers and a new event stream', async () => {
    const part = randomUUID();
    await copy.client.parts.create([{ uuid: part, path: 'P:/after/' }]);
    await copy.client.rawData.upload({ entity: 'Part', uuid: part }, { fileName: 'a', content: 'a' });
    const changes = async ({ url }: RunningSinebar, after = '') =>
      (await (await fetch(`${url}/eventServiceRest/changes${after}`)).json()) as { next: string; gap?: true };
    const { next } = await changes(original);
    expect(await changes(original, `?after=${next}`)).not.toHaveProperty('gap');
    expect(await changes(copy, `?after=${next}`)).toMatchObject({ gap: true });
  });

  it('creates the same backup from the copy, running or stopped', async () => {
    await copy.stop();
    expect((await typed(restoreCommand, [join(root, 'backup')], in_('third'))).code).toBe(0);
    expect((await typed(backupCommand, [join(root, 'second')], in_('third'))).code).toBe(0);
    const second = await readManifest(join(root, 'second'));
    // The position in the event stream is not restored.
    const content = ({ tables, sequences, files }: Manifest) => ({
      tables: tables.filter(({ name }) => name !== 'follow_position'),
      sequences,
      files,
    });
    expect(content(second)).toEqual(content(manifest));
  });
});

describe('wrong use is reported and changes nothing', () => {
  const damaged = async (name: string, change: (folder: string) => Promise<void>) => {
    const folder = join(root, name);
    await cp(join(root, 'backup'), folder, { recursive: true });
    await change(folder);
    const result = await typed(restoreCommand, [folder], in_('never'));
    expect(await readdir(join(root, 'never')).catch(() => [])).toEqual([]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    return result.stderr;
  };
  const rewrite = (change: (manifest: Record<string, unknown>) => void) => async (folder: string) => {
    const path = join(folder, 'manifest.json');
    const content = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    change(content);
    await writeFile(path, JSON.stringify(content));
  };

  it('backup: a folder in use, no data, no target', async () => {
    expect(await typed(backupCommand, [join(root, 'backup')], in_('data'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing is overwritten'),
    });
    expect(await typed(backupCommand, [join(root, 'x')], in_('nowhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SINEBAR_DATA_DIR'),
    });
    expect(await typed(backupCommand, [], in_('data'))).toMatchObject({ code: 2, stderr: expect.stringContaining('TARGET') });
    expect(await typed(backupCommand, ['a', '--quick'], in_('data'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--quick'),
    });
    expect(await readdir(root)).not.toContain('nowhere');
  });

  it('restore: a folder that is not empty', async () => {
    await mkdir(join(root, 'used'));
    await writeFile(join(root, 'used', 'mine'), '');
    expect(await typed(restoreCommand, [join(root, 'backup')], in_('used'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty'),
    });
    expect(await readdir(join(root, 'used'))).toEqual(['mine']);
  });

  it.each<[string, string, (folder: string) => Promise<void>]>([
    ['no manifest', 'holds no backup', (folder) => rm(join(folder, 'manifest.json'))],
    ['no JSON', 'cannot be read', (folder) => writeFile(join(folder, 'manifest.json'), '{')],
    ['a newer format', 'newer Sinebar', rewrite((content) => (content['formatVersion'] = 2))],
    ['a newer schema', 'newer Sinebar', rewrite((content) => (content['schemas'] = { inspection: 9999 }))],
    ['another manifest', 'is damaged', rewrite((content) => delete content['tables'])],
    ['rows that were changed', 'is not what was written', (folder) => appendFile(join(folder, 'rows/inspection.measurement.gz'), 'x')],
    ['rows that are gone', 'not complete', (folder) => rm(join(folder, 'rows/raw_data.part.gz'))],
    ['a list that was changed', 'is not what was written', (folder) => appendFile(join(folder, 'files.jsonl'), '\n')],
    ['files that are gone', 'not complete', (folder) => rm(join(folder, 'files'), { recursive: true })],
  ])('restore: %s', async (name, sentence, change) => {
    expect(await damaged(name, change)).toContain(sentence);
  });

  it('restore: rows that PostgreSQL refuses leave an empty folder', async () => {
    const stderr = await damaged('wrong rows', async (folder) => {
      const rows = await readFile(join(folder, 'rows/inspection.catalog.gz'));
      const table = { schema: 'inspection', name: 'plan_item' };
      await writeFile(join(folder, rowsFile(table)), rows);
      const sha256 = createHash('sha256').update(rows).digest('hex');
      await rewrite((content) => {
        const entry = (content['tables'] as { name: string }[]).find(({ name }) => name === 'plan_item');
        Object.assign(entry as object, { sha256 });
      })(folder);
    });
    expect(stderr).toContain('plan_item took 0 rows');
  });
});

describe('what people keep about values and the plant', () => {
  const [part, characteristic, measurement] = [randomUUID(), randomUUID(), randomUUID()];
  const ofPart = { partUuid: part };
  const ofCharacteristic = { characteristicUuid: characteristic };
  let restored: RunningSinebar;
  afterAll(() => restored?.stop());

  const read = async ({ url, client: { alarms, analysis, notes, views, exchange, reports } }: RunningSinebar) => ({
    stops: await alarms.mutes({ partPath: '/evaluated' }),
    notes: await notes.list({ partPath: '/evaluated' }),
    views: await views.list(),
    mappings: await exchange.mappings(),
    mapping: await exchange.mapping('gauge 7'),
    ofPart: await analysis.evaluation(ofPart),
    ofCharacteristic: await analysis.evaluation(ofCharacteristic),
    history: await analysis.evaluationHistory(ofCharacteristic),
    settings: await analysis.settings(),
    changes: await analysis.changes(part),
    firstArticle: (await reports.firstArticle(part)).fields,
    reports: await reports.list(),
    settingsHistory: (await (await fetch(`${url}/analysisServiceRest/settings/history`)).json()) as object[],
  });

  it('is restored with histories, users and times', async () => {
    const { client } = original;
    await client.parts.create([{ uuid: part, path: 'P:/evaluated/' }]);
    await client.characteristics.create([{ uuid: characteristic, path: 'PC:/evaluated/bore/' }]);
    await client.measurements.createWithValues([{ uuid: measurement, partUuid: part, characteristics: { [characteristic]: { 1: '1' } } }]);
    const haveChanged = (times: number) =>
      eventually(async () => (await client.analysis.changes(part)).total === times, { describe: `${times} changes`, timeoutMs: 30_000 });
    await haveChanged(1);
    await client.analysis.putEvaluation(ofPart, { rules: ['nelson2:7'], required: 1.67 }, { reason: 'agreed' });
    await client.analysis.putEvaluation(ofCharacteristic, { model: 'normal' }, { reason: 'first' });
    const stages = [
      { from: '2026-03-02T06:00:00.000Z', reason: 'new tool', limits: { kind: 'given' as const, centerLine: 1, sigma: 0.1 } },
    ];
    const exclusions = [{ measurementUuid: measurement, reason: 'dropped part' }];
    await client.analysis.putEvaluation(ofCharacteristic, { stages, exclusions }, { reason: 'second' });
    const shifts = [{ name: 'night', from: '22:00', to: '06:00', days: [1] }];
    await client.analysis.putSettings({ zone: 'Europe/Berlin', shifts }, { reason: 'a shift' });
    await client.analysis.putSettings({ zone: 'Europe/Berlin', shifts, required: 2 }, { reason: 'a required value' });
    await client.notes.create({ ...ofCharacteristic, measurementUuid: measurement, text: 'Dropped.' });
    await client.notes.create({ ...ofPart, from: '2026-03-02T06:00:00Z', text: 'A new batch.' });
    await client.alarms.mute({ ...ofPart, until: '2999-01-01T00:00:00Z', reason: 'Maintenance' });
    await client.views.put(randomUUID(), { name: 'Worst', address: '/console?order=ppk', shared: true });
    await client.exchange.putMapping('gauge 7', { part: 'Shaft', decimal: ',' });
    await client.reports.setFirstArticle(part, { serialNumber: 'SN 1', comments: 'None.' });
    const to = '2026-03-03T00:00:00Z';
    const report = await client.reports.keep({ template: 'part', selection: ofPart, language: 'de', to });
    await eventually(async () => (await client.reports.get(report)).state === 'done', { describe: 'a report', timeoutMs: 60_000 });
    const receiver = { kind: 'webhook', url: 'https://hooks.example/alarms', shape: 'standard' } as const;
    const subscription = await client.subscriptions.create({ receiver, partPath: '/evaluated', digest: { everyMinutes: 60 } });
    expect(subscription.receiver).toHaveProperty('secret');
    await haveChanged(2);
    const before = await read(original);
    expect(before).toMatchObject({
      changes: {
        changes: [
          { from: 'noLimits', to: 'noData' },
          { from: 'noData', to: 'noLimits', measurementUuid: measurement },
        ],
      },
      notes: [{ text: 'A new batch.' }, { text: 'Dropped.', measurementUuid: measurement }],
      stops: [{ partUuid: part, reason: 'Maintenance' }],
      views: [{ name: 'Worst' }],
      mapping: { part: 'Shaft', decimal: ',' },
      ofCharacteristic: { rules: ['nelson2:7'], stages, exclusions, revision: 2 },
      history: [{ reason: 'second' }, { reason: 'first' }],
      settings: { required: 2, revision: 2 },
      firstArticle: { serialNumber: 'SN 1', comments: 'None.' },
      reports: [{ uuid: report, state: 'done', language: 'de', partUuid: part }],
      settingsHistory: [{ reason: 'a required value' }, { reason: 'a shift' }],
    });
    expect((await typed(backupCommand, [join(root, 'evaluated-backup')], in_('data'))).code).toBe(0);
    expect((await typed(restoreCommand, [join(root, 'evaluated-backup')], in_('evaluated'))).code).toBe(0);
    restored = await startSinebar(join(root, 'evaluated'));
    expect(await read(restored)).toEqual(before);
    const pdf = Buffer.from(await (await restored.client.reports.content(report)).arrayBuffer());
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(before.reports[0]?.sha256);
    // The secret stays behind; a new one ends the pause.
    const { uuid } = subscription;
    expect(await restored.client.subscriptions.list()).toEqual([{ ...subscription, receiver, paused: 'secret' }]);
    expect(await restored.client.subscriptions.update(uuid, { receiver, partPath: '/evaluated' })).not.toHaveProperty('paused');
    expect(await restored.client.analysis.summary(characteristic)).toMatchObject({ count: 0 });
    await restored.client.notes.create({ ...ofPart, text: 'After it.' });
    expect((await restored.client.notes.list(ofPart)).map(({ text }) => text)).toEqual(['After it.', 'A new batch.']);
    await restored.client.analysis.putEvaluation(ofCharacteristic, {}, { reason: 'third' });
    expect((await restored.client.analysis.evaluationHistory(ofCharacteristic)).map(({ revision }) => revision)).toEqual([3, 2, 1]);
  }, 120_000);
});
