import { OTHERS, SLOTS } from '@sinebar/charts';
import type { Measurement } from '@sinebar/client';
import { GroupSwatch } from '../../charts/groups/group-charts';
import { useFormats, useTexts } from '../../design/language/language';
import { GroupName } from '../../quality/groups/group-name';
import { texts as groupTexts } from '../../quality/groups/texts';
import { useGroupWords } from '../../quality/groups/use-group-words';
import styles from './measurements.module.css';

/** The measurements of a list that share the value of an attribute. */
export interface ListedGroup {
  /** Absent for measurements without the attribute. */
  readonly value?: string;
  readonly count: number;
}

/** Counts measurements by an attribute, the largest groups first. */
export function listedGroups(measurements: readonly Measurement[], attribute: number): ListedGroup[] {
  const counts = new Map<string | undefined, number>();
  for (const { attributes } of measurements) {
    const value = attributes[attribute];
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ ...(value !== undefined && { value }), count })).sort((a, b) => b.count - a.count);
}

/** The colour and shape of a group. @param groups in the order of {@link listedGroups} */
export function slotOf(groups: readonly ListedGroup[], value: string | undefined): number {
  const index = groups.findIndex((group) => group.value === value);
  return index < 0 ? OTHERS : Math.min(index, OTHERS);
}

interface MeasurementGroupsProps {
  attribute: number;
  groups: readonly ListedGroup[];
  /** Shows the measurements of one group only. */
  onOnly: (value: string) => void;
}

/** How many measurements each group has; the largest ones, and the others together. */
export function MeasurementGroups({ attribute, groups, onOnly }: MeasurementGroupsProps) {
  const t = useTexts(groupTexts);
  const formats = useFormats();
  const { groupName } = useGroupWords();
  const others = groups.slice(SLOTS);
  const total = sum(groups);
  const share = (count: number) => (
    <>
      <strong>{formats.count(count)}</strong> {formats.percent(count / total)}
    </>
  );
  return (
    <ul className={styles.groups} aria-label={t.legend}>
      {groups.slice(0, SLOTS).map(({ value, count }, slot) => {
        const name = groupName(attribute, { ...(value !== undefined && { value }) });
        return (
          <li key={value ?? ''}>
            <GroupName name={name} slot={slot} value={value} onOnly={onOnly} /> {share(count)}
          </li>
        );
      })}
      {others.length > 0 && (
        <li>
          <GroupSwatch slot={OTHERS} />
          {t.others(formats.count(others.length))} {share(sum(others))}
        </li>
      )}
    </ul>
  );
}

function sum(groups: readonly ListedGroup[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
