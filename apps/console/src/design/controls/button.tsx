import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './controls.module.css';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet' | 'quietDanger';

const CLASSES: Record<Kind, string> = {
  plain: `${styles.button}`,
  primary: `${styles.button} ${styles.primary}`,
  danger: `${styles.button} ${styles.danger}`,
  quiet: `${styles.quiet}`,
  quietDanger: `${styles.quiet} ${styles.quietDanger}`,
};

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  /** `primary`: what the reader came for, at most one in a view. `danger`: destroys. `quiet`: an action as text. */
  kind?: Kind;
  /** Whether a switch is on. */
  isOn?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button; pressing it works the same by pointer, touch and keyboard. */
export function Button({ kind = 'plain', isOn, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      data-quiet={kind.startsWith('quiet') || undefined}
      {...(isOn !== undefined && { 'aria-pressed': isOn })}
      className={`${CLASSES[kind]} ${isOn === true ? styles.pressed : ''}`}
    />
  );
}
