import type { KeyboardEvent, ReactNode } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import styles from './controls.module.css';

export interface ComboOption {
  id: string;
  name: string;
  /** A second text in grey, at the right. */
  note?: string | undefined;
}

export interface ComboProps {
  label: string;
  /** Whether the label is only read out. */
  isLabelHidden?: boolean;
  /** The first one may stand for "none". */
  options: readonly ComboOption[];
  chosen: string;
  onChoose: (id: string) => void;
  isReadOnly?: boolean;
  /** Says what the options are, below them. */
  note?: ReactNode;
}

/** A choice of one among many: the list below narrows while the reader types. */
export function Combo({ label, isLabelHidden = false, options, chosen, onChoose, isReadOnly = false, note }: ComboProps) {
  // A scanner types a name and Enter: the only option that fits is taken, as if it had been chosen in the list.
  const takeTyped = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.hasAttribute('aria-activedescendant')) return;
    const typed = optionTyped(target.value, options);
    if (typed === undefined) return;
    // The key chooses; it does not send the form as well.
    event.preventDefault();
    if (typed !== chosen) onChoose(typed);
  };
  return (
    <ComboBox
      className={styles.field}
      defaultItems={options}
      selectedKey={chosen}
      onSelectionChange={(key) => key !== null && onChoose(String(key))}
      isReadOnly={isReadOnly}
      menuTrigger="focus"
    >
      <Label className={isLabelHidden ? styles.hidden : styles.label}>{label}</Label>
      <span className={styles.box} onKeyDownCapture={takeTyped}>
        <Input className={styles.input} />
        <Button className={styles.caretButton}>
          <span aria-hidden="true" className={styles.caret}>
            ▾
          </span>
        </Button>
      </span>
      <Popover className={`${styles.popover} ${styles.comboPopover}`} placement="bottom start">
        <ListBox<ComboOption> className={styles.list}>
          {({ id, name, note: second }) => (
            <ListBoxItem id={id} textValue={name} className={styles.item}>
              <span>{name}</span>
              {second !== undefined && <span className={styles.itemNote}>{second}</span>}
            </ListBoxItem>
          )}
        </ListBox>
        {note !== undefined && <p className={styles.listNote}>{note}</p>}
      </Popover>
    </ComboBox>
  );
}

/** Finds the option with this name or note, else the only one whose name contains the text. */
function optionTyped(text: string, options: readonly ComboOption[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const same = options.find(({ name, note }) => name.toLowerCase() === wanted || note?.toLowerCase() === wanted);
  const holding = options.filter(({ name }) => name.toLowerCase().includes(wanted));
  return same?.id ?? (holding.length === 1 ? holding[0]?.id : undefined);
}
