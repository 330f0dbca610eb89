import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import { explainUnreadable, PolicySource } from './policy-source.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const policyWith = (role: string) => `roles:\n  ${role}:\n    grants:\n      - path: /${role}\n        rights: [plan:read]\n`;

describe('policy file', () => {
  let folder: string;
  let file: string;
  let source: PolicySource | undefined;
  let changes: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-policy-'));
    file = join(folder, 'policy.yaml');
    changes = 0;
  });
  afterEach(async () => {
    await source?.close();
    source = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(pollMs = 50): Promise<PolicySource> {
    source = await PolicySource.open({ file, log, pollMs, settleMs: 10 });
    source.onChange(() => (changes += 1));
    return source;
  }
  const holds = (role: string) => source!.current.grantsFor([role], 'plan:read', `p${role}/`).length > 0;
  const takes = (role: string) => eventually(() => holds(role), { describe: `policy with ${role}` });

  it('is read again when it is written in place', async () => {
    writeFileSync(file, policyWith('a'));
    await open();
    expect(holds('a')).toBe(true);
    writeFileSync(file, policyWith('b'));
    await takes('b');
    expect(holds('a')).toBe(false);
    expect(changes).toBe(1);
  });

  it('is read again when another file of the same time and size is renamed over it [D8.2]', async () => {
    writeFileSync(file, policyWith('a'));
    utimesSync(file, 1, 1);
    await open();
    const next = join(folder, 'next');
    writeFileSync(next, policyWith('b'));
    utimesSync(next, 1, 1);
    renameSync(next, file);
    await takes('b');
  });

  it('is read again when Kubernetes replaces the link of a ConfigMap [D8.2]', async () => {
    const put = (version: string, role: string) => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'policy.yaml'), policyWith(role));
      symlinkSync(version, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    put('..2026_01', 'a');
    symlinkSync(join('..data', 'policy.yaml'), file);
    await open();
    put('..2026_02', 'b');
    rmSync(join(folder, '..2026_01'), { recursive: true });
    await takes('b');
    put('..2026_03', 'c');
    await takes('c');
    expect(changes).toBe(2);
  });

  it('is read again by polling when the system reports no change', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'sinebar-policy-target-'));
    try {
      // The watcher of this folder does not see changes in the folder that the link leads to.
      writeFileSync(join(elsewhere, 'p'), policyWith('a'));
      symlinkSync(join(elsewhere, 'p'), file);
      await open();
      writeFileSync(join(elsewhere, 'p'), policyWith('b'));
      await takes('b');
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('changes nothing and is reported while it is broken or missing, and is read after its repair [D8.2]', async () => {
    writeFileSync(file, policyWith('a'));
    const opened = await open();
    writeFileSync(file, 'roles:\n  a: nonsense\n');
    await eventually(() => opened.refusal !== undefined);
    expect(opened.refusal?.message).toMatch(/policy\.yaml, line 2: roles\.a: /);
    expect(holds('a')).toBe(true);
    unlinkSync(file);
    await eventually(() => opened.refusal?.message.includes('ENOENT') === true);
    expect(holds('a')).toBe(true);
    expect(changes).toBe(0);
    writeFileSync(file, policyWith('a'));
    await eventually(() => opened.refusal === undefined);
    expect(changes).toBe(0);
    writeFileSync(file, policyWith('b'));
    await takes('b');
    expect(changes).toBe(1);
  });

  it('notifies all listeners, also when one fails, until it stops', async () => {
    writeFileSync(file, policyWith('a'));
    const opened = await open();
    const stopped = opened.onChange(() => (changes += 100));
    opened.onChange(() => {
      throw new Error('a listener that fails');
    });
    opened.onChange(() => (changes += 10));
    stopped.stop();
    writeFileSync(file, policyWith('b'));
    await eventually(() => changes === 11);
  });

  it.each<[string, (path: string) => void, string]>([
    ['is not there', () => undefined, 'cannot be read (ENOENT)'],
    ['is a folder', (path) => mkdirSync(path), 'cannot be read (EISDIR)'],
    ['is no text', (path) => writeFileSync(path, Buffer.from([0x72, 0xff, 0xfe])), 'is not UTF-8 text'],
    ['is broken', (path) => writeFileSync(path, 'users: {}'), 'line 1: roles: is missing'],
    ['is far too large', (path) => writeFileSync(path, Buffer.alloc(5 * 2 ** 20, 32)), 'is larger than'],
  ])('stops the start when %s', async (_what, prepare, sentence) => {
    prepare(file);
    await expect(open()).rejects.toThrow(sentence);
  });

  it.each<[string, number | undefined, string]>([
    ['EACCES', 10001, 'EACCES: user 10001 has no permission; change the owner or the mode of the file and its folders'],
    ['EPERM', 0, 'EPERM: user 0 has no permission; change the owner or the mode of the file and its folders'],
    ['EACCES', undefined, 'EACCES: no permission'],
    ['ENOENT', 10001, 'ENOENT'],
  ])('explains %s to user %s', (code, user, sentence) => {
    expect(explainUnreadable(code, user)).toBe(sentence);
  });
});
