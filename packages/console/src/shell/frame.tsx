import { Link, Outlet } from '@tanstack/react-router';
import { useTexts } from '../design/language/language';
import styles from './frame.module.css';
import { texts } from './texts';

/** The frame of every page: top bar, plan tree, content. */
export function Frame() {
  const t = useTexts(texts);
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <nav aria-label={t.sections} className={styles.sections}>
          <Link to="/">{t.parts}</Link>
          <Link to="/compare">{t.compare}</Link>
          <Link to="/measurements">{t.measurements}</Link>
          <Link to="/files">{t.files}</Link>
          <Link to="/live">{t.live}</Link>
          <Link to="/administration/definitions">{t.administration}</Link>
        </nav>
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  );
}
