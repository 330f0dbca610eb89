import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../design/controls/button';
import { useTexts } from '../design/language/language';
import { Page } from '../design/page/page';
import styles from './error-pages.module.css';
import { texts } from './texts';

/** Answers an address that no page has. */
export function NotFoundPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.notFound}>
      <p className={styles.reason}>{t.notFoundReason}</p>
      <Link to="/" className={styles.link}>
        {t.toStart}
      </Link>
    </Page>
  );
}

/** Stands in the place of a failed page that has no frame. */
export function FailedPageAlone(props: ErrorComponentProps) {
  return (
    <main id="content" className={styles.alone}>
      <FailedPage {...props} />
    </main>
  );
}

/** Stands in the place of a page that failed; the frame stays. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useTexts(texts);
  return (
    <Page title={t.failed}>
      <p className={styles.reason}>{t.failedReason}</p>
      <p role="alert" className={styles.sentence}>
        {error instanceof Error ? error.message : String(error)}
      </p>
      <Button onPress={reset}>{t.retry}</Button>
    </Page>
  );
}
