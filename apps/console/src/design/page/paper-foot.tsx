import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import styles from './paper-foot.module.css';

const QrCode = lazy(async () => ({ default: (await import('./qr-code')).QrCode }));

/** The foot of a printed page: its address as a QR code and as text, and what else is to be said. */
export function PaperFoot({ children }: { children?: ReactNode }) {
  // The address changes without a load of the page.
  useRouterState({ select: ({ location: { href } }) => href });
  const address = location.href;
  return (
    <footer className={styles.foot}>
      <div className={styles.code}>
        <Suspense>
          <QrCode text={address} />
        </Suspense>
      </div>
      <div>
        {children}
        <p>{address}</p>
      </div>
    </footer>
  );
}
