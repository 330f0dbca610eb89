import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button';
import styles from './buttons.module.css';

/** An action as quiet text, as in the line of choices. */
export function QuietButton({ isDanger = false, ...props }: Omit<ButtonProps, 'kind' | 'isOn'> & { isDanger?: boolean }) {
  return <Button {...props} kind={isDanger && props.isDisabled !== true ? 'quietDanger' : 'quiet'} />;
}

/** Buttons of which one is on, side by side. */
export function ButtonPair({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={label} className={styles.pair}>
      {children}
    </span>
  );
}
