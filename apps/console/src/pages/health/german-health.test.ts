import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { germanCheckName, germanReason } from './german-health';

const ROOT = join(import.meta.dirname, '../../../../..');
/** Files that name checks or give their reasons. */
const SOURCES = [
  'packages/runtime/src/health.ts',
  'packages/runtime/src/run-service.ts',
  'services/inspection/src/compose.ts',
  'services/raw-data/src/compose.ts',
  'services/raw-data/src/follow/follow-lag.ts',
  'services/raw-data/src/blobs/s3-blob-store.ts',
  'services/raw-data/src/blobs/file-blob-store.ts',
  'services/events/src/compose.ts',
  'services/events/src/dispatch/stream-health.ts',
  'packages/authentication/src/policy-authentication.ts',
  'packages/message-bus/src/in-process/in-process-bus.ts',
];

/** Texts that the sources give as the reason of a check, with a number in the place of every figure. */
const REASONS = [
  ...new Set(
    SOURCES.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'))
      .filter((line) => /\b(?:healthy|connected)\b.*\b(?:detail|description): /.test(line) && !line.includes('inForce'))
      .flatMap((line) => line.slice(line.search(/detail|description/)).match(/'[^']+'|`[^`]+`/g) ?? [])
      .filter((literal) => /[a-z]/.test(literal))
      .map((literal) => literal.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '7')),
  ),
];

describe('checks of the server', () => {
  it('are found in its sources', () => expect(REASONS.length).toBeGreaterThan(15));
  it.each(REASONS)('have a German reason: %s', (reason) => expect(germanReason(reason)).toBeDefined());
  it.each([
    ['published from here; nothing waits', 'wird von hier veröffentlicht; nichts wartet'],
    [
      'published by another process; 1200 waiting, the oldest for 9 s; refused',
      'wird von einem anderen Prozess veröffentlicht; 1.200 warten, davon eines seit 9 s; refused',
    ],
    ['12 connected, 3 of them catching up', '12 verbunden, davon 3 beim Nachholen'],
    ['none; only this computer can connect', 'keine; nur dieser Rechner kann sich verbinden'],
    ['Basic; access policy 3 is in force', 'Basic; Zugriffsregeln 3 gelten'],
    ['PostgreSQL 18.4 runs as process 94 on 127.0.0.1:1', 'PostgreSQL 18.4 läuft als Prozess 94 auf 127.0.0.1:1'],
  ])('say %s', (reason, german) => expect(germanReason(reason)).toBe(german));
  it('have German names', () => expect(germanCheckName('event clients')).toBe('Empfänger von Ereignissen'));
  it('that are not known stay as they are', () => {
    expect(germanReason('something new')).toBeUndefined();
    expect(germanCheckName('db.example:80')).toBeUndefined();
  });
});
