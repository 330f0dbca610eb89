import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Button, type ButtonProps } from './button';
import styles from './controls.module.css';

export interface MenuEntry {
  key: string;
  name: ReactNode;
  onAction: () => void;
  isDisabled?: boolean;
  /** Whether a line separates it from the entries above. */
  beginsGroup?: boolean;
}

/** A button that opens a menu of actions. */
export function Menu({ button, entries }: { button: ButtonProps; entries: readonly MenuEntry[] }) {
  return (
    <MenuTrigger>
      <Button kind="quiet" {...button} />
      <Popover className={styles.popover} placement="bottom end">
        <AriaMenu className={styles.list}>
          {entries.flatMap(({ key, name, onAction, isDisabled = false, beginsGroup }) => [
            ...(beginsGroup ? [<Separator key={`${key} line`} className={styles.separator} />] : []),
            <MenuItem key={key} id={key} onAction={onAction} isDisabled={isDisabled} className={styles.item}>
              {name}
            </MenuItem>,
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
