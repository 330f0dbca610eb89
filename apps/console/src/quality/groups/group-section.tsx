import { SLOTS } from '@sinebar/charts';
import { SinebarError, type CharacteristicGroups, type GroupedBy } from '@sinebar/client';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Empty, Pane, type PaneQuery } from '../../design/states/pane-state';
import { GroupTable, type GroupTableProps } from './group-table';
import { divideGroups, isOfTime, numberOfGroups, type DividedGroups } from './grouping';
import { texts } from './texts';
import { useGroupSentences } from './use-group-sentences';
import { useGroupWords } from './use-group-words';
import styles from './groups.module.css';
import textStyles from '../../design/styles/text.module.css';

export interface GroupSectionProps extends Pick<GroupTableProps, 'limits' | 'decimals' | 'onOnly'> {
  by: GroupedBy;
  query: PaneQuery<CharacteristicGroups>;
  unit: string;
  /** Name of the characteristic, where several are compared. */
  of?: string;
  /** Slots of the groups of another characteristic, which groups of the same name keep. */
  known?: DividedGroups['slots'];
  /** Whether some stretches of the chart hold several groups. */
  isMixed?: boolean;
}

/** What the groups of a characteristic differ in: in sentences, and as rows. */
export function GroupSection({ by, query, unit, of, isMixed = false, ...figures }: GroupSectionProps) {
  const t = useTexts(texts);
  const { splitName } = useGroupWords();
  const name = of === undefined ? t.groupsBy(splitName(by)) : t.ofBy(of, splitName(by));
  return (
    <section className={styles.section} aria-label={name}>
      <PaneHead name={name} />
      {by === 'shift' && query.error instanceof SinebarError && query.error.status === 400 ? (
        <Empty>
          <p>{t.noShifts}</p>
        </Empty>
      ) : (
        <Pane query={query}>{(answer) => <Compared name={name} answer={answer} unit={unit} isMixed={isMixed} {...figures} />}</Pane>
      )}
    </section>
  );
}

type ComparedProps = Omit<GroupSectionProps, 'query' | 'by' | 'of'> & { name: string; answer: CharacteristicGroups };

function Compared({ name, answer, unit, known, isMixed, limits, decimals, onOnly }: ComparedProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const sentencesOf = useGroupSentences();
  const [showsAll, setShowsAll] = useState(false);
  const { by, groups } = answer;
  const divided = divideGroups(answer, known);
  const all = formats.count(numberOfGroups(groups));
  const isCut = divided.others.length > 0;
  return (
    <>
      <p className={styles.sentences}>{sentencesOf(answer, decimals, unit).join(' ')}</p>
      {isCut && (
        <p className={textStyles.explanation}>
          {(isOfTime(by) ? t.cutTime : t.cut)(formats.count(SLOTS), all)}{' '}
          <Button kind="quiet" onPress={() => setShowsAll(!showsAll)}>
            {showsAll ? t.showFewer : t.showAll(formats.count(groups.length))}
          </Button>
        </p>
      )}
      {isMixed && <p className={textStyles.explanation}>{t.mixed}</p>}
      {groups.length > 0 && (
        <GroupTable label={name} by={by} divided={divided} showsAll={showsAll} limits={limits} decimals={decimals} onOnly={onOnly} />
      )}
    </>
  );
}
