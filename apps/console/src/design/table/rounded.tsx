import type { ReactNode } from 'react';
import { useFormats } from '../language/language';

interface RoundedProps {
  value: number | undefined;
  className?: string | undefined;
  /** The number as it is shown. */
  children: ReactNode;
}

/** A number that is shown rounded: its tool tip has all digits, and so has a copy of it. */
export function Rounded({ value, className, children }: RoundedProps) {
  const formats = useFormats();
  return (
    <span title={value === undefined ? undefined : formats.number(value)} data-number={value} className={className}>
      {children}
    </span>
  );
}
