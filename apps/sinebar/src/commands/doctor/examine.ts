import { schemaOfPlant } from '@sinebar/contracts';
import { openDatabase } from '@sinebar/database';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import { sentenceOf } from '../../command-line/command.ts';
import type { Store } from '../../stores/store.ts';
import { fileChecks } from './file-checks.ts';
import { measurementChecks } from './measurement-checks.ts';
import { planChecks } from './plan-checks.ts';
import { checkSchemas } from './schema-check.ts';
import { spaceCheck } from './space-check.ts';
import { streamChecks } from './stream-checks.ts';
import type { Check, Doctor, DoctorOptions, Finding } from './finding.ts';

const CHECKS: readonly Check[] = [...planChecks, ...measurementChecks, ...streamChecks, ...fileChecks, spaceCheck];

/** Runs all checks without changing anything. @throws when the database is unreachable */
export async function examine(store: Store, options: DoctorOptions, signal: AbortSignal): Promise<Finding[]> {
  const open = (schema: string) =>
    openDatabase({
      url: store.databaseUrl,
      schema: schemaOfPlant(schema, store.plant),
      applicationName: 'sinebar doctor',
      poolSizes: { requests: 2, streams: 1 },
      startTimeoutMs: 0,
    });
  const inspection = await open(INSPECTION_SCHEMA);
  try {
    const rawData = await open(RAW_DATA_SCHEMA);
    try {
      return await runChecks({ store, inspection, rawData, options, signal });
    } finally {
      await rawData.close();
    }
  } finally {
    await inspection.close();
  }
}

async function runChecks(doctor: Doctor): Promise<Finding[]> {
  const findings = await checkSchemas(doctor);
  const fits = findings.every(({ state }) => state === 'ok');
  for (const { name, run } of CHECKS) {
    if (!fits) {
      findings.push({ check: name, state: 'unchecked', detail: 'only where the schemas are those of this release' });
      continue;
    }
    try {
      findings.push(...(await run(doctor)));
    } catch (error) {
      doctor.signal.throwIfAborted();
      findings.push({ check: name, state: 'unchecked', detail: sentenceOf(error) });
    }
  }
  return findings;
}
