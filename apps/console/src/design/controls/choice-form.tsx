import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import styles from './controls.module.css';

export interface ChoiceFormProps {
  /** Name of the choice; without it the button says only the value. */
  label?: string;
  /** The present value. */
  value: string;
  /** The form; `close` closes it. */
  children: (close: () => void) => ReactNode;
}

/** A choice that takes more than one word: it opens a small form below itself. */
export function ChoiceForm({ label, value, children }: ChoiceFormProps) {
  return (
    <DialogTrigger>
      <Button className={styles.choice}>
        {label !== undefined && <span className={styles.what}>{label}</span>}
        {value}
        <span aria-hidden className={styles.caret}>
          ▾
        </span>
      </Button>
      <Popover className={styles.popover} placement="bottom start">
        <Dialog aria-label={label ?? value} className={styles.form}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
