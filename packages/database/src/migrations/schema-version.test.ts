import { describe, expect, it } from '@jest/globals';
import { assertSchemaName, clientConfig } from '../connection/connection-settings.ts';
import { assertCodeIsNewEnough, codeVersionOf, SchemaTooNewError } from './schema-version.ts';

const step = (name: string) => ({ name, up: () => Promise.resolve() });

describe('codeVersionOf', () => {
  it('returns the number of the newest migration', () => {
    expect(codeVersionOf([])).toBe(0);
    expect(codeVersionOf([step('0001-outbox'), step('0007-part')])).toBe(7);
  });

  it.each([[['0002-b', '0001-a']], [['0001-a', '0001-b']], [['0000-a']]])('refuses the order %j', (names) => {
    expect(() => codeVersionOf(names.map(step))).toThrow(/must have a number above/);
  });

  it.each(['1-a', 'outbox', '0001_outbox', '0001-Outbox', ''])('refuses the name "%s"', (name) => {
    expect(() => codeVersionOf([step(name)])).toThrow(/write 0001-what-it-adds/);
  });
});

describe('assertCodeIsNewEnough', () => {
  it('accepts older code until a step has removed what it needs', () => {
    expect(() => assertCodeIsNewEnough('inspection', { current: 9, oldestCode: 5 }, 5)).not.toThrow();
    expect(() => assertCodeIsNewEnough('inspection', { current: 9, oldestCode: 6 }, 5)).toThrow(SchemaTooNewError);
    expect(() => assertCodeIsNewEnough('inspection', { current: 9, oldestCode: 6 }, 5)).toThrow(
      'The schema "inspection" is at version 9 and works only with code of version 6 or newer; this code is version 5. ' +
        'Start the release that migrated the schema or a newer one, or restore a backup of this release.',
    );
  });
});

describe('assertSchemaName', () => {
  it.each(['inspection', 'raw_data', 'plant_7'])('accepts %s', (name) => {
    expect(() => assertSchemaName(name)).not.toThrow();
  });
  it.each(['', 'Inspection', 'a-b', 'a"; DROP SCHEMA b; --', 'pg_x', '7a', 'ä', 'a'.repeat(64)])('refuses "%s"', (name) => {
    expect(() => assertSchemaName(name)).toThrow(/cannot be the name of a schema/);
  });
});

describe('clientConfig', () => {
  it.each(['postgres://user:secret@host:port/x', 'user:secret@host:5432/x', 'mysql://user:secret@host/x', ''])(
    'explains how to write a URL that cannot be read, without its password: %s',
    (url) => {
      const address = { url, applicationName: 'test', connectTimeoutMs: 1000 };
      expect(() => clientConfig(address)).toThrow(/^The database URL cannot be read. Write postgres:/);
      expect(() => clientConfig(address)).not.toThrow(/secret/);
    },
  );
});
