import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commandText } from '@sinebar/contracts';
import { defineSettings, runServices, serverSettings } from '@sinebar/runtime';
import { CommandError, runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import { sizeText } from '../../command-line/size-text.ts';
import { PROCESS_OUTPUT, withArguments } from '../../command-line/arguments.ts';
import { storeSettings } from '../../stores/open-store.ts';
import { scheduleBackups } from './backup-schedule.ts';
import { makeBackup } from './make-backup.ts';
import type { Retention } from './retention.ts';

const HELP = `
${commandText('scheduled-backup FOLDER [--keep-daily 7] [--keep-weekly 4]')}
${commandText('scheduled-backup FOLDER --at 02:00 [--disks FOLDER]')}

Makes a backup below FOLDER, named after its time in UTC (2026-01-31T0200Z), and then removes scheduled backups that are no longer kept.
Folders with other names are never removed. With --at it runs until Ctrl-C, makes a backup each day, and has metrics for Prometheus.

  --keep-daily N    keep the newest backup of N days (default: 7)
  --keep-weekly N   keep the newest backup of N weeks (default: 4)
  --at HH:MM        time of day, UTC; a backup that was missed is made at once
  --disks FOLDER    report the free space of what is mounted at its subfolders

Installation: as for ${commandText('backup')}

Exit code 0: complete; 1: not made, or made without files that were lost before (they are named).
`;

const options = {
  'keep-daily': { type: 'string', default: '7' },
  'keep-weekly': { type: 'string', default: '4' },
  at: { type: 'string' },
  disks: { type: 'string' },
} as const;

export const scheduledBackupCommand: Command<typeof options> = {
  name: 'scheduled-backup',
  help: HELP,
  options,
  words: ['FOLDER'],
  run: async ({ values, words: [folder = ''] }, { env, signal, print, stderr }) => {
    if (values.disks !== undefined) throw new UsageError('--disks needs --at: metrics can be read only while the command runs.');
    const made = await makeBackup({ env, signal, folder: resolve(folder), retention: readRetention(values), now: () => new Date() });
    const { files, missing } = made.manifest;
    print(`${made.path}: ${files.count} files (${sizeText(files.bytes)}). Removed: ${made.removed.join(', ') || 'none'}.`);
    for (const name of missing) stderr.write(`LOST: the bytes of a file were not there any more (object ${name})\n`);
    return missing.length === 0 ? 0 : 1;
  },
};

export async function run(words: readonly string[]): Promise<void> {
  const isDaily = words.some((word) => word === '--at' || word.startsWith('--at='));
  if (!isDaily || words.includes('--help')) {
    await runAsProcess(scheduledBackupCommand, words);
    return;
  }
  const code = await withArguments(scheduledBackupCommand, words, PROCESS_OUTPUT, async ({ values, words: [folder = ''] }) => {
    await runDaily({ folder: resolve(folder), retention: readRetention(values), minuteOfDay: readTime(values.at), disks: values.disks });
    return 0;
  });
  if (code !== 0) process.exitCode = code;
}

interface DailyOptions {
  folder: string;
  retention: Retention;
  minuteOfDay: number;
  disks: string | undefined;
}

async function runDaily({ folder, retention, minuteOfDay, disks }: DailyOptions): Promise<void> {
  await runServices(process, 'backup', defineSettings({ ...serverSettings, ...storeSettings }), async (_settings, log) => {
    const schedule = scheduleBackups({
      folder,
      minuteOfDay,
      disks: disks === undefined ? {} : await readDisks(disks),
      makeBackup: (signal) => makeBackup({ env: process.env, signal, folder, retention, now: () => new Date() }),
      now: () => new Date(),
      log,
    });
    return { services: [schedule], close: () => Promise.resolve() };
  });
}

/** Names each subfolder after itself. */
async function readDisks(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new CommandError(`--disks: ${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  });
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

/** @throws UsageError */
function readRetention(values: { 'keep-daily'?: string; 'keep-weekly'?: string }): Retention {
  const read = (option: 'keep-daily' | 'keep-weekly') => {
    const text = values[option] ?? '';
    if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--${option} takes a number from 0 to 9999, not "${text}".`);
    return Number(text);
  };
  return { daily: read('keep-daily'), weekly: read('keep-weekly') };
}

/** Returns the minute of the day. @throws UsageError */
function readTime(text = ''): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) throw new UsageError(`--at takes a time of day in UTC from 00:00 to 23:59, not "${text}".`);
  return Number(hours) * 60 + Number(minutes);
}
