import { useMutation } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useViews } from '../../server/use-views';
import styles from './start.module.css';
import { texts } from './texts';

/** The views that the reader, or somebody for all users, has named. */
export function SavedViews() {
  const t = useTexts(texts);
  const { views, remove } = useViews();
  const removal = useMutation({ mutationFn: remove });
  if (views.length === 0) return null;
  return (
    <section className={styles.views} aria-labelledby="views">
      <h2 id="views">{t.views}</h2>
      <ul>
        {views.map((view) => (
          <li key={view.uuid ?? view.name}>
            <a href={view.address} title={view.isShared ? t.sharedView : undefined}>
              {view.name}
            </a>
            {view.mayRemove && (
              <Button kind="quiet" aria-label={t.removeView(view.name)} onPress={() => removal.mutate(view)}>
                ×
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removal.error && <Failed error={removal.error} />}
    </section>
  );
}
