import {
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  Label,
  type Key as AriaKey,
} from 'react-aria-components';
import styles from './controls.module.css';

export interface ChoiceProps<K extends string> {
  label: string;
  options: readonly { key: K; name: string }[];
  value: K;
  onChange: (value: K) => void;
  /** `line`: a word in the line of choices; `field`: a field with its label above. */
  look?: 'line' | 'field';
  isDisabled?: boolean;
}

/** A choice of one among few. */
export function Choice<K extends string>({ label, options, value, onChange, look = 'line', isDisabled = false }: ChoiceProps<K>) {
  const chosen = options.find(({ key }) => key === value)?.name ?? value;
  const change = (key: AriaKey | null) => {
    const option = options.find((each) => each.key === key);
    if (option) onChange(option.key);
  };
  return (
    <AriaSelect value={value} onChange={change} isDisabled={isDisabled} className={look === 'field' ? styles.field : undefined}>
      <Label className={look === 'line' ? styles.hidden : styles.label}>{label}</Label>
      <Button className={look === 'line' ? styles.choice : styles.selectButton}>
        <span>
          {look === 'line' && <span className={styles.what}>{label}</span>}
          {chosen}
        </span>
        <span aria-hidden className={styles.caret}>
          ▾
        </span>
      </Button>
      <Popover className={styles.popover}>
        <ListBox className={styles.list}>
          {options.map(({ key, name }) => (
            <ListBoxItem key={key} id={key} className={styles.item}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
