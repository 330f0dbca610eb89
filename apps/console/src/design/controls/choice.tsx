import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, type Key } from 'react-aria-components';
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
  what,
  value,
  options,
  chosen,
  onChoose,
}: ChoiceProps & { options: readonly ChoiceOption<Id>[]; chosen: Id; onChoose: (id: Id) => void }) {
  return (
    <MenuTrigger>
      <ChoiceButton what={what} value={value} />
      <Popover className={styles.popover} placement="bottom start">
        <Menu
          aria-label={what}
          className={styles.menu}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[chosen]}
          onAction={(key) => onChoose(key as Id)}
        >
          {options.map((option) => (
            <Option key={option.id} {...option} />
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** A choice of several; the menu stays open while the reader chooses. */
export function MultipleChoice<Id extends string>({
  what,
  value,
  options,
  chosen,
  onChoose,
}: ChoiceProps & { options: readonly ChoiceOption<Id>[]; chosen: readonly Id[]; onChoose: (ids: readonly Id[]) => void }) {
  return (
    <MenuTrigger>
      <ChoiceButton what={what} value={value} />
      <Popover className={styles.popover} placement="bottom start">
        <Menu
          aria-label={what}
          className={styles.menu}
          selectionMode="multiple"
          shouldCloseOnSelect={false}
          selectedKeys={chosen}
          onSelectionChange={(keys) => {
            const wanted = keys === 'all' ? new Set<Key>(options.map(({ id }) => id)) : keys;
            onChoose(options.map(({ id }) => id).filter((id) => wanted.has(id)));
          }}
        >
          {options.map((option) => (
            <Option key={option.id} {...option} />
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ChoiceButton({ what, value }: ChoiceProps) {
  return (
    <Button className={styles.choice}>
      <span className={styles.what}>{what}</span> {value}
      <span className={styles.caret} aria-hidden="true">
        ▾
      </span>
    </Button>
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
