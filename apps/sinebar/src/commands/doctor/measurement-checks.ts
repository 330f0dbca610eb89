import { expectNone } from './statements.ts';
import type { Check } from './finding.ts';

/** Number of newest measurements that are checked unless all are requested. */
const NEWEST = 100_000;

/** Checks that measurements belong to parts and that their value arrays fit the shared characteristic sets. */
export const measurementChecks: readonly Check[] = [
  {
    name: 'measurements: parts',
    run: async (doctor) => [
      await expectNone(doctor, {
        check: 'measurements: parts',
        database: doctor.inspection,
        // Skips from part to part in the index, independent of the number of measurements.
        wrong: `WITH RECURSIVE measured AS (
                  SELECT min(part_id) AS id FROM measurement
                  UNION ALL SELECT (SELECT min(part_id) FROM measurement WHERE part_id > measured.id) FROM measured
                    WHERE measured.id IS NOT NULL
                ) SELECT id AS example FROM measured
                WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM plan_item WHERE plan_item.id = measured.id AND kind = 'part')`,
        fine: 'every measurement belongs to a part',
        problem: 'parts (by number) that do not exist but have measurements',
      }),
    ],
  },
  {
    name: 'measurements: characteristics',
    run: async (doctor) => [
      await expectNone(doctor, {
        check: 'measurements: characteristics',
        database: doctor.inspection,
        wrong: `SELECT DISTINCT set.id AS example FROM characteristic_set AS set, unnest(characteristic_ids) AS characteristic
                WHERE NOT stale AND NOT EXISTS (SELECT FROM plan_item WHERE plan_item.id = characteristic AND kind = 'characteristic')`,
        fine: 'every list of characteristics names existing ones',
        problem: 'lists of characteristics (by number) that name some that do not exist',
      }),
    ],
  },
  {
    name: 'measurements: values',
    run: async (doctor) => {
      const { thorough } = doctor.options;
      return [
        await expectNone(doctor, {
          check: 'measurements: values',
          database: doctor.inspection,
          wrong: `SELECT recent.uuid AS example FROM (
                    SELECT uuid, part_id, characteristic_set_id, cardinality("values") AS length, octet_length(digits) AS digits
                    FROM measurement ORDER BY id DESC LIMIT $1
                  ) AS recent LEFT JOIN characteristic_set AS set ON set.id = characteristic_set_id
                  WHERE characteristic_set_id IS NOT NULL AND set.id IS NULL OR set.part_id <> recent.part_id
                    OR coalesce(length, 0) <> coalesce(cardinality(characteristic_ids), 0) OR digits <> length`,
          values: [thorough ? null : NEWEST],
          fine: thorough
            ? 'the values of all measurements fit'
            : `the values of the newest ${NEWEST} measurements fit (--thorough looks at all)`,
          problem: 'measurements whose values do not fit their characteristics',
        }),
      ];
    },
  },
];
