import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { QuietButton } from '../../../design/controls/buttons';
import { useTexts } from '../../../design/language/language';
import type { Configuration } from '../../../quality/attributes/configuration';
import { ConditionEditor } from './condition-editor';
import { formatConditions, type ConditionFields } from './condition-text';
import styles from './conditions.module.css';
import { texts } from '../texts';
import { useConditionWords } from './use-condition-text';

export interface ConditionsBarProps {
  conditions: readonly ConditionFields[];
  configuration: Configuration;
  onChange: (conditions: readonly ConditionFields[]) => void;
}

/** Search conditions as fields, with the parameter of the interface that they make. */
export function ConditionsBar({ conditions, configuration, onChange }: ConditionsBarProps) {
  const t = useTexts(texts);
  const wordsOf = useConditionWords(configuration);
  const [isCopied, setCopied] = useState(false);
  const address = `?searchCondition=${encodeURIComponent(formatConditions(conditions))}`;
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };

  return (
    <section className={styles.conditions} aria-label={t.conditions}>
      {conditions.map((condition, index) => {
        const words = wordsOf(condition);
        const others = (changed?: ConditionFields) => [
          ...conditions.slice(0, index),
          ...(changed === undefined ? [] : [changed]),
          ...conditions.slice(index + 1),
        ];
        return (
          <span key={index} className={styles.condition}>
            <DialogTrigger>
              <Button className={styles.words} aria-label={`${t.editCondition(words.name)}: ${words.operator} ${words.value}`}>
                {words.name} <span className={styles.operator}>{words.operator}</span> <strong>{words.value}</strong>
              </Button>
              <Popover className={styles.popover} placement="bottom start">
                <Dialog aria-label={t.editCondition(words.name)} className={styles.editor}>
                  {({ close }) => (
                    <ConditionEditor
                      condition={condition}
                      configuration={configuration}
                      onApply={(changed) => {
                        onChange(others(changed));
                        close();
                      }}
                      onCancel={close}
                    />
                  )}
                </Dialog>
              </Popover>
            </DialogTrigger>
            <Button className={styles.remove} aria-label={t.removeCondition(words.name)} onPress={() => onChange(others())}>
              ×
            </Button>
          </span>
        );
      })}
      <DialogTrigger>
        <QuietButton>{t.addCondition}</QuietButton>
        <Popover className={styles.popover} placement="bottom start">
          <Dialog aria-label={t.addCondition} className={styles.editor}>
            {({ close }) => (
              <ConditionEditor
                configuration={configuration}
                onApply={(added) => {
                  onChange([...conditions, added]);
                  close();
                }}
                onCancel={close}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {conditions.length > 0 && (
        <span className={styles.address}>
          <code title={t.address}>{address}</code>
          <QuietButton onPress={() => void copy()} aria-label={t.copyAddress}>
            {isCopied ? t.copied : t.copyAddress}
          </QuietButton>
        </span>
      )}
    </section>
  );
}
