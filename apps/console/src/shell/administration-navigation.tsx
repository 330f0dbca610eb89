import { Link } from '@tanstack/react-router';
import { useTexts } from '../design/language/language';
import styles from './administration-navigation.module.css';
import { texts } from './texts';

/** The pages of the administration, in place of the plan. */
export function AdministrationNavigation() {
  const t = useTexts(texts);
  return (
    <nav className={styles.navigation} aria-label={t.administration}>
      <h2>{t.definitions}</h2>
      <Link to="/administration/definitions">{t.attributes}</Link>
      <Link to="/administration/catalogs">{t.catalogs}</Link>
      <h2>{t.alarms}</h2>
      <Link to="/administration/subscriptions">{t.subscriptions}</Link>
      <Link to="/administration/deliveries">{t.deliveries}</Link>
      <h2>{t.server}</h2>
      <Link to="/administration/health">{t.health}</Link>
      <h2>{t.people}</h2>
      <Link to="/administration/rights">{t.rights}</Link>
    </nav>
  );
}
