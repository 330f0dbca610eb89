import { commandText, schemaOfPlant } from '@sinebar/contracts';
import { codeVersionOf, type Migration } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import { select } from './statements.ts';
import type { Doctor, Finding } from './finding.ts';

const EXPECTED: readonly (readonly [string, readonly Migration[]])[] = [
  [INSPECTION_SCHEMA, inspectionMigrations],
  [RAW_DATA_SCHEMA, rawDataMigrations],
];

/** Checks that the schemas belong to this release; all other checks require it. */
export async function checkSchemas(doctor: Doctor): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [schema, migrations] of EXPECTED) {
    findings.push(await checkSchema(doctor, schemaOfPlant(schema, doctor.store.plant), codeVersionOf(migrations)));
  }
  return findings;
}

async function checkSchema({ inspection, signal, store }: Doctor, schema: string, code: number): Promise<Finding> {
  const check = `schema ${schema}`;
  const [found] = await select<{ exists: boolean }>(inspection, signal, 'SELECT to_regclass($1) IS NOT NULL AS exists', [
    `"${schema}".schema_version`,
  ]);
  if (found?.exists !== true) {
    const maker =
      store.plant === '' ? 'the first start of the product makes it' : `${commandText(`plants create ${store.plant}`)} makes it`;
    return { check, state: 'problem', detail: `is not in this database; ${maker}` };
  }
  const [version] = await select<{ current: number; oldest: number }>(
    inspection,
    signal,
    `SELECT current, oldest_code AS oldest FROM "${schema}".schema_version`,
  );
  const { current = 0, oldest = 0 } = version ?? {};
  if (current < code)
    return { check, state: 'problem', detail: `version ${current}, this release has ${code}: start the product to bring it up to date` };
  if (oldest > code) return { check, state: 'problem', detail: `version ${current} needs a newer release than this one (${code})` };
  return { check, state: 'ok', detail: `version ${current}${current > code ? `, made by a newer release than this one (${code})` : ''}` };
}
