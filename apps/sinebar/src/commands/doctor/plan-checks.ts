import { ROOT_PART_UUID } from '@sinebar/contracts';
import { expectNone } from './statements.ts';
import type { Check, Doctor, Finding } from './finding.ts';

/** Escapes names like `storedPathElement`. */
const escaped = (name: string): string => `regexp_replace(${name}, '([\\\\/])', '\\\\\\1', 'g')`;

const WITH_PARENT = 'plan_item AS item JOIN plan_item AS parent ON parent.id = item.parent_id';

/** Checks the tree of parts and characteristics: each item has its parent, and its stored path fits its parent. */
export const planChecks: readonly Check[] = [
  check('plan: root', {
    wrong: `SELECT coalesce(uuid::text, 'the root part is missing') AS example FROM (SELECT) AS one LEFT JOIN plan_item ON parent_id IS NULL
            WHERE uuid IS DISTINCT FROM '${ROOT_PART_UUID}' OR path <> '' OR kind <> 'part'`,
    fine: 'one root part',
    problem: 'items at the top that are not the root part',
  }),
  check('plan: parents', {
    wrong: `SELECT uuid AS example FROM plan_item AS item
            WHERE parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM plan_item AS parent WHERE parent.id = item.parent_id)`,
    fine: 'every item has its parent',
    problem: 'items whose parent does not exist',
  }),
  check('plan: kinds', {
    wrong: `SELECT item.uuid AS example FROM ${WITH_PARENT} WHERE item.kind = 'part' AND parent.kind <> 'part'
              OR item.part_id <> CASE item.kind WHEN 'part' THEN item.id ELSE parent.part_id END`,
    fine: 'every characteristic belongs to the part above it',
    problem: 'items that belong to another part than the one above them',
  }),
  check('plan: paths', {
    wrong: `SELECT item.uuid AS example FROM ${WITH_PARENT}
            WHERE item.path <> parent.path || left(item.kind, 1) || ${escaped('item.folded_name')} || '/' OR item.depth <> parent.depth + 1
              OR item.marked_path <> left(parent.marked_path, parent.depth) || upper(left(item.kind, 1)) || ':' ||
                CASE parent.depth WHEN 0 THEN '/' ELSE substr(parent.marked_path, parent.depth + 2) END || ${escaped('item.name')} || '/'`,
    fine: 'every path is that of the parent and the own name',
    problem: 'items whose path is not that of their parent and their name',
  }),
];

function check(name: string, statement: { wrong: string; fine: string; problem: string }): Check {
  const run = async (doctor: Doctor): Promise<Finding[]> => [
    await expectNone(doctor, { check: name, database: doctor.inspection, ...statement }),
  ];
  return { name, run };
}
