import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, type Key, type MenuProps } from 'react-aria-components';
import styles from './choice.module.css';

export interface ChoiceOption<Id extends string> {
  id: Id;
  name: string;
  /** A second text in grey, at the right. */
  note?: string;
}

interface ChoiceProps {
  /** Name of the choice, in grey before the value. */
  what: string;
  /** The value as the button shows it. */
  value: ReactNode;
}

/** A choice of one, written as `Status all ▾`. */
export function Choice<Id extends string>({
  chosen,
  onChoose,
  ...choice
}: ChoiceProps & { options: readonly ChoiceOption<Id>[]; chosen: Id; onChoose: (id: Id) => void }) {
  return (
    <ChoiceMenu {...choice} selectionMode="single" disallowEmptySelection selectedKeys={[chosen]} onAction={(key) => onChoose(key as Id)} />
  );
}

/** A choice of several; the menu stays open while the reader chooses. */
export function MultipleChoice<Id extends string>({
  chosen,
  onChoose,
  ...choice
}: ChoiceProps & { options: readonly ChoiceOption<Id>[]; chosen: readonly Id[]; onChoose: (ids: readonly Id[]) => void }) {
  const ids = choice.options.map(({ id }) => id);
  return (
    <ChoiceMenu
      {...choice}
      selectionMode="multiple"
      shouldCloseOnSelect={false}
      selectedKeys={chosen}
      onSelectionChange={(keys) => {
        const wanted = keys === 'all' ? new Set<Key>(ids) : keys;
        onChoose(ids.filter((id) => wanted.has(id)));
      }}
    />
  );
}

function ChoiceMenu({
  what,
  value,
  options,
  ...selection
}: ChoiceProps & { options: readonly ChoiceOption<string>[] } & Omit<MenuProps<object>, 'children'>) {
  return (
    <MenuTrigger>
      <Button className={styles.choice}>
        <span className={styles.what}>{what}</span> {value}
        <span className={styles.caret} aria-hidden="true">
          ▾
        </span>
      </Button>
      <Popover className={styles.popover} placement="bottom start">
        <Menu {...selection} aria-label={what} className={styles.menu}>
          {options.map((option) => (
            <Option key={option.id} {...option} />
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function Option({ id, name, note }: ChoiceOption<string>) {
  return (
    <MenuItem id={id} textValue={name} className={styles.item}>
      {({ isSelected }) => (
        <>
          <span className={styles.mark} aria-hidden="true">
            {isSelected ? '✓' : ''}
          </span>
          <span>{name}</span>
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </>
      )}
    </MenuItem>
  );
}
