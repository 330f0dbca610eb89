import { useEffect, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { defineTexts, useTexts } from '../language/language';
import styles from './pane-state.module.css';

const texts = defineTexts({
  en: { loading: 'Loading', retry: 'Try again', request: (id: string) => `Request ${id}` },
  de: { loading: 'Wird geladen', retry: 'Erneut versuchen', request: (id: string) => `Anfrage ${id}` },
});

/** Time after which the bones of a pane appear, ms: what comes sooner does not flicker. */
const BONES_AFTER_MS = 200;

/** Lines in the place of content that is on its way, without motion. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const { loading } = useTexts(texts);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), BONES_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={loading} className={styles.bones}>
      {isShown && Array.from({ length: rows }, (_, row) => <div key={row} className={styles.bone} />)}
    </div>
  );
}

/** Says that there is nothing to show, and the next step. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>;
}

/** Says what failed in one pane and what to do; the other panes stay. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { retry, request } = useTexts(texts);
  const requestId = typeof error === 'object' && error !== null && 'requestId' in error ? error.requestId : undefined;
  return (
    <div role="alert" className={styles.failed}>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {typeof requestId === 'string' && <p className={styles.request}>{request(requestId)}</p>}
      {onRetry && (
        <Button className={styles.retry} onPress={onRetry}>
          {retry}
        </Button>
      )}
    </div>
  );
}

/** Result of a query, as far as a pane needs it. */
export interface PaneQuery<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Whether the server does not give a content any longer: it was deleted, or the reader has lost the right to see it. */
export function isWithdrawn(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && (error.status === 403 || error.status === 404);
}

/** Shows a query in the state that it is in: old content stays until the new is there, or until the server no longer gives it. */
export function Pane<T>({ query, skeleton, children }: { query: PaneQuery<T>; skeleton?: ReactNode; children: (data: T) => ReactNode }) {
  if (query.data !== undefined && !isWithdrawn(query.error)) return children(query.data);
  if (query.error !== null && query.error !== undefined) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton ?? <Skeleton />;
}
