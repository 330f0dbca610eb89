import type { GroupedBy } from '@sinebar/client';
import { useMemo, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { QuietButton } from '../../design/controls/buttons';
import { Choice } from '../../design/controls/choice';
import { useTexts } from '../../design/language/language';
import { TIME_KEY } from '../values/measurement-values';
import { useConfiguration } from '../attributes/configuration';
import { makesGroups } from '../groups/split';
import { texts as groupTexts } from '../groups/texts';
import { useGroupWords } from '../groups/use-group-words';
import { ConditionEditor } from './condition-editor';
import { formatConditions, parseConditions, type ConditionFields } from './condition-text';
import { joinRanges } from './date-ranges';
import { texts } from './texts';
import { useConditionWords } from './use-condition-text';
import styles from './conditions.module.css';

export interface SplitAndFilterProps {
  /** The parameter `searchCondition` of the interface. */
  condition: string | undefined;
  onFilter: (condition: string | undefined) => void;
  /** What values are split by. */
  by: GroupedBy | undefined;
  onSplit: (by: GroupedBy | undefined) => void;
  /** Whether groups can be shifts, days and weeks. */
  hasTimeGroups?: boolean;
  /** The part whose measurements offer values to choose from. */
  partPath?: string | undefined;
  /** Whether it is a part of a toolbar, not a line of the page with the condition as the interface takes it. */
  isInToolbar?: boolean;
}

const NOTHING = 'nothing';
const TIME_GROUPS = ['shift', 'day', 'week'] as const;

/** The one control that splits values into groups, and filters them, by the names of attributes. */
export function SplitAndFilter(props: SplitAndFilterProps) {
  const { condition, onFilter, by, onSplit, hasTimeGroups = true, partPath, isInToolbar = false } = props;
  const t = useTexts(texts);
  const words = useTexts(groupTexts);
  const { configuration } = useConfiguration();
  const { splitName } = useGroupWords();
  const conditions = useMemo(() => parseConditions(condition ?? ''), [condition]);
  const change = (changed: readonly ConditionFields[]) => onFilter(changed.length === 0 ? undefined : formatConditions(changed));
  const chips = joinRanges(conditions ?? [], isTime);
  const splits: GroupedBy[] = [
    ...(hasTimeGroups ? TIME_GROUPS : []),
    ...configuration
      .of('measurement')
      .filter(makesGroups)
      .map(({ key }) => key),
  ];
  return (
    <section className={isInToolbar ? styles.inToolbar : styles.conditions} aria-label={t.conditions}>
      <Choice
        what={words.splitBy}
        value={by === undefined ? words.nothing : splitName(by)}
        options={[{ id: NOTHING, name: words.nothing }, ...splits.map((each) => ({ id: String(each), name: splitName(each) }))]}
        chosen={by === undefined ? NOTHING : String(by)}
        onChoose={(id) => onSplit(splits.find((each) => String(each) === id))}
      />
      {conditions === undefined && condition !== undefined && (
        <span className={styles.condition}>
          <span className={styles.words} title={condition}>
            {t.unreadable}
          </span>
          <Button className={styles.remove} aria-label={t.removeCondition(condition)} onPress={() => onFilter(undefined)}>
            ×
          </Button>
        </span>
      )}
      {chips.map((chip, index) => {
        const others = (changed: readonly ConditionFields[]) => change(chips.toSpliced(index, 1, [...changed]).flat());
        return <Chip key={index} conditions={chip} configuration={configuration} partPath={partPath} onChange={others} />;
      })}
      {conditions && (
        <DialogTrigger>
          <QuietButton>{t.addCondition}</QuietButton>
          <Popover className={styles.popover} placement="bottom start">
            <Dialog aria-label={t.addCondition} className={styles.editor}>
              {({ close }) => (
                <ConditionEditor
                  configuration={configuration}
                  partPath={partPath}
                  onApply={(added) => {
                    change([...conditions, ...added]);
                    close();
                  }}
                  onCancel={close}
                />
              )}
            </Dialog>
          </Popover>
        </DialogTrigger>
      )}
      {!isInToolbar && conditions && conditions.length > 0 && <Address condition={formatConditions(conditions)} />}
    </section>
  );
}

function isTime({ field }: ConditionFields): boolean {
  return field.kind !== 'attribute' || field.key === TIME_KEY;
}

interface ChipProps {
  /** A condition, or the two of a range of time. */
  conditions: readonly ConditionFields[];
  configuration: ReturnType<typeof useConfiguration>['configuration'];
  partPath: string | undefined;
  onChange: (conditions: readonly ConditionFields[]) => void;
}

function Chip({ conditions, configuration, partPath, onChange }: ChipProps) {
  const t = useTexts(texts);
  const words = useConditionWords(configuration)(conditions);
  return (
    <span className={styles.condition}>
      <DialogTrigger>
        <Button className={styles.words} aria-label={`${t.editCondition(words.name)}: ${words.operator} ${words.value}`}>
          {words.name} <span className={styles.operator}>{words.operator}</span> <strong>{words.value}</strong>
        </Button>
        <Popover className={styles.popover} placement="bottom start">
          <Dialog aria-label={t.editCondition(words.name)} className={styles.editor}>
            {({ close }) => (
              <ConditionEditor
                conditions={conditions}
                configuration={configuration}
                partPath={partPath}
                onApply={(changed) => {
                  onChange(changed);
                  close();
                }}
                onCancel={close}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <Button className={styles.remove} aria-label={t.removeCondition(words.name)} onPress={() => onChange([])}>
        ×
      </Button>
    </span>
  );
}

function Address({ condition }: { condition: string }) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  const address = `?searchCondition=${encodeURIComponent(condition)}`;
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <span className={styles.address}>
      <code title={t.address}>{address}</code>
      <QuietButton onPress={() => void copy()} aria-label={t.copyAddress}>
        {isCopied ? t.copied : t.copyAddress}
      </QuietButton>
    </span>
  );
}
