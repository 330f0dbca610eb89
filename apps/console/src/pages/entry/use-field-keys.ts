import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';

const FIELDS = 'input:not([type="search"])';
/** Keys with which a measured value begins. */
const BEGINS_VALUE = /^[\d+\-.,]$/;

/**
 * Makes Enter go from field to field, and from the last one to the button that saves. A value that is no number keeps the focus and is
 * selected, so that the next one of the gauge replaces it. Digits that come while nothing has the focus go to the field used last.
 */
export function useFieldKeys(form: RefObject<HTMLFormElement | null>): { onKeyDown: (event: KeyboardEvent) => void } {
  const latest = useRef<HTMLInputElement>(undefined);
  useEffect(() => {
    const keep = ({ target }: FocusEvent) => {
      if (target instanceof HTMLInputElement && form.current?.contains(target)) latest.current = target;
    };
    const catchStray = ({ key, target, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      if (target !== document.body || ctrlKey || metaKey || altKey || !BEGINS_VALUE.test(key)) return;
      const field = latest.current?.isConnected === true ? latest.current : form.current?.querySelector<HTMLInputElement>('[data-value]');
      field?.focus();
      field?.select();
    };
    document.addEventListener('focusin', keep);
    document.addEventListener('keydown', catchStray, { capture: true });
    return () => {
      document.removeEventListener('focusin', keep);
      document.removeEventListener('keydown', catchStray, { capture: true });
    };
  }, [form]);
  return {
    onKeyDown: (event) => {
      const { target } = event;
      if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
      event.preventDefault();
      if (target.ariaInvalid === 'true' && target.dataset['value'] !== undefined) {
        target.select();
        return;
      }
      // At once: the next character of a gauge comes within a millisecond.
      focusNext(form.current, target);
    },
  };
}

function focusNext(form: HTMLFormElement | null, field: HTMLInputElement): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>(FIELDS) ?? [])];
  const next = fields[fields.indexOf(field) + 1];
  if (next === undefined) form?.querySelector<HTMLElement>('button[type="submit"]')?.focus();
  else {
    next.focus();
    next.select();
  }
}
