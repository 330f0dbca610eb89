import { GroupSwatch } from '../../charts/groups/group-charts';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { texts } from './texts';

export interface GroupNameProps {
  name: string;
  slot: number;
  /** Absent for what lacks the attribute. */
  value: string | undefined;
  /** Shows this group only; absent where no condition can name it. */
  onOnly?: ((value: string) => void) | undefined;
}

/** Colour, shape and name of a group. */
export function GroupName({ name, slot, value, onOnly }: GroupNameProps) {
  const t = useTexts(texts);
  return (
    <>
      <GroupSwatch slot={slot} />
      {onOnly && value !== undefined ? (
        <Button kind="quiet" aria-label={t.only(name)} onPress={() => onOnly(value)}>
          {name}
        </Button>
      ) : (
        name
      )}
    </>
  );
}
