import { OTHERS } from '@sinebar/charts';
import type { GroupedBy } from '@sinebar/client';
import { GroupSwatch } from '../../charts/groups/group-charts';
import { useTexts } from '../../design/language/language';
import { groupKey, type DividedGroups } from './grouping';
import { texts } from './texts';
import { useGroupWords } from './use-group-words';
import styles from './groups.module.css';

/** Names the colours and shapes of groups. */
export function GroupLegend({ by, divided: { told, others, slots } }: { by: GroupedBy; divided: DividedGroups }) {
  const t = useTexts(texts);
  const { groupName, othersName } = useGroupWords();
  if (told.length === 0) return null;
  return (
    <ul className={styles.legend} aria-label={t.legend}>
      {told.map((group) => (
        <li key={groupKey(group)}>
          <GroupSwatch slot={slots.get(groupKey(group)) ?? OTHERS} />
          {groupName(by, group)}
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <GroupSwatch slot={OTHERS} />
          {othersName(others)}
        </li>
      )}
    </ul>
  );
}
