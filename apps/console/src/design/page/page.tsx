import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

export interface PageProps {
  /** Names what the page shows: the only `h1`, and the title of the window. */
  title: string;
  /** Field for the name, which takes the place of the visible heading. */
  nameField?: ReactNode;
  /** Path above what is shown, from the root, on a line of its own. */
  crumbs?: ReactNode;
  /** Links to the other views of the same thing. */
  tabs?: ReactNode;
  /** One line of facts below the title. */
  facts?: ReactNode;
  children?: ReactNode;
}

/** The title row of a page and its content. */
export function Page({ title, nameField, crumbs, tabs, facts, children }: PageProps) {
  useTitle(title);
  return (
    <>
      <header className={styles.head}>
        {crumbs}
        <div className={styles.title}>
          <h1 className={nameField === undefined ? styles.heading : styles.hidden}>{title}</h1>
          {nameField}
          {tabs}
        </div>
        {facts}
      </header>
      {children}
    </>
  );
}

/** Names the window after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Sinebar`;
  }, [title]);
}

/** One line of facts: the name in grey, the figure in black. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
