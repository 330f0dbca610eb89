import type { ReactNode, RefObject } from 'react';
import {
  FieldError,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';
import { Glyph } from '../status/glyph';
import styles from './controls.module.css';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  label: string;
  /** Whether the label is only read out. */
  isLabelHidden?: boolean;
  placeholder?: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** Stands behind the text, such as a unit or a key. */
  after?: ReactNode;
  hint?: string;
  /** Says what is wrong with the text and what to do. */
  error?: string | undefined;
}

/** A line of text with its label, a unit and what is wrong with it. */
export function TextField({ label, isLabelHidden = false, placeholder, inputRef, after, hint, error, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={styles.field}>
      <Label className={isLabelHidden ? styles.hidden : styles.label}>{label}</Label>
      <span className={`${styles.box} ${error === undefined ? '' : styles.invalid}`}>
        <Input className={styles.input} {...(placeholder !== undefined && { placeholder })} {...(inputRef && { ref: inputRef })} />
        {after !== undefined && <span className={styles.unit}>{after}</span>}
      </span>
      {hint !== undefined && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>
        <Glyph name="outOfTolerance" label="" />
        {error}
      </FieldError>
    </AriaTextField>
  );
}

/** Text that only screen readers get. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}

/** A key of the keyboard. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}
