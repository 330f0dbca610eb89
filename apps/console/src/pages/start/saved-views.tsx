import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { useSavedViews } from '../../server/use-saved-views';
import styles from './start.module.css';
import { texts } from './texts';

/** The views that the reader has named in this browser. */
export function SavedViews() {
  const t = useTexts(texts);
  const { views, remove } = useSavedViews();
  if (views.length === 0) return null;
  return (
    <section className={styles.views} aria-labelledby="views">
      <h2 id="views">{t.views}</h2>
      <ul>
        {views.map(({ name, address }) => (
          <li key={name}>
            <a href={address}>{name}</a>
            <Button kind="quiet" aria-label={t.removeView(name)} onPress={() => remove(name)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
