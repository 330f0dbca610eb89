const TAKES_KEYS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="tree"], [role="listbox"], [role="menu"], [role="dialog"], [role="alertdialog"]';

/** Whether a key belongs to what has the focus: a field, the tree, a list. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_KEYS) !== null;
}
