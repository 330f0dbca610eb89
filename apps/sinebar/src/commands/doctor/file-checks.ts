import { schemaOfPlant } from '@sinebar/contracts';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { SweepService } from '@sinebar/raw-data';
import { sizeText } from '../../command-line/size-text.ts';
import { expectNoneForLong } from './statements.ts';
import { EXAMPLES, type Check, type Doctor, type Finding } from './finding.ts';

/** Checks that bytes and rows of files agree, and that each file belongs to an existing entity. */
export const fileChecks: readonly Check[] = [
  { name: 'files: bytes and rows', run: compareBytes },
  {
    name: 'files: targets',
    run: async (doctor) => {
      const inspection = `"${schemaOfPlant(INSPECTION_SCHEMA, doctor.store.plant)}"`;
      const missingItem = (kind: string, uuid = 'target_uuid') =>
        `NOT EXISTS (SELECT FROM ${inspection}.plan_item WHERE uuid = ${uuid} AND kind = '${kind}')`;
      return [
        await expectNoneForLong(doctor, {
          check: 'files: targets',
          database: doctor.rawData,
          wrong: `SELECT entity || ' ' || target_uuid AS example FROM raw_data_object AS file
                  WHERE CASE entity WHEN 'Part' THEN ${missingItem('part')} WHEN 'Characteristic' THEN ${missingItem('characteristic')}
                    ELSE NOT EXISTS (SELECT FROM ${inspection}.measurement WHERE uuid = target_uuid) END
                  OR entity = 'Value' AND ${missingItem('characteristic', 'characteristic_uuid')}`,
          fine: 'every file belongs to something that exists',
          problem: 'files of something that does not exist; the raw-data service removes them when it has followed the changes',
        }),
      ];
    },
  },
];

async function compareBytes({ store, rawData, options, signal }: Doctor): Promise<Finding[]> {
  const sweep = new SweepService({ database: rawData, blobs: store.blobs, now: () => new Date(), onRemovalOrdered: () => undefined });
  const { checkedRows, orphans, missing } = await sweep.sweep({
    olderThanMs: options.olderThanMs,
    // A row is written after its bytes, so a row without bytes is wrong at any age.
    missingOlderThanMs: -Infinity,
    delete: false,
    signal,
  });
  return [
    missing.count === 0
      ? { check: 'files: rows without bytes', state: 'ok', detail: `the bytes of ${checkedRows} files and thumbnails are there` }
      : {
          check: 'files: rows without bytes',
          state: 'problem',
          detail: `${missing.count} files have lost their bytes: put the objects back from a backup, or delete these files`,
          examples: missing.examples.slice(0, EXAMPLES),
        },
    orphans.count === 0
      ? { check: 'files: bytes without rows', state: 'ok', detail: 'no stored object is without its row' }
      : {
          check: 'files: bytes without rows',
          state: 'problem',
          detail: `${orphans.count} objects (${sizeText(orphans.sizeBytes)}) belong to no file: SINEBAR_ORPHANED_FILES=remove lets the product remove them`,
          examples: orphans.examples.slice(0, EXAMPLES),
        },
  ];
}
