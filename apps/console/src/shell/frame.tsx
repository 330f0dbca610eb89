import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { flushSync } from 'react-dom';
import { lazy, Suspense, useEffect, useRef, useState, type CSSProperties } from 'react';
import { useTexts } from '../design/language/language';
import { CompanyLogo } from '../design/styles/logo';
import { useHasDraft } from '../quality/editing/kept-draft';
import { plantPath } from '../server/use-saved-views';
import { AdministrationNavigation } from './administration-navigation';
import { ConnectionNotice } from './connection-notice';
import styles from './frame.module.css';
import { KeyList } from './key-list';
import { PlanTree } from './plan-tree/plan-tree';
import { SAVED_VIEW_FORM, SaveView } from './save-view';
import { texts } from './texts';
import { TopBar } from './top-bar/top-bar';
import { TreeEdge } from './tree-edge';
import { useKeys } from './use-keys';
import { usePreferences } from './use-preferences';
import { useRenewals } from './use-renewals';

const loadPalette = () => import('./palette/palette');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
/** Time after which the page has drawn its first picture, ms: the palette is then loaded, so that no typed letter is lost. */
const PALETTE_AFTER_MS = 2000;

/** The frame of every page but the wall, which is all content. */
export function Frame() {
  const isWall = useRouterState({ select: ({ location }) => location.pathname === '/wall' });
  useRenewals();
  return isWall ? <Outlet /> : <PageFrame />;
}

/** Top bar, plan tree, content. */
function PageFrame() {
  const t = useTexts(texts);
  const filter = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { treeWidth } = usePreferences();
  const hasDraft = useHasDraft();
  const [open, setOpen] = useState<'palette' | 'keys' | 'save' | undefined>(() => (hasDraft(SAVED_VIEW_FORM) ? 'save' : undefined));
  // The plan lies above the content on a narrow screen until something is chosen.
  const [planShownAt, setPlanShownAt] = useState<string>();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAdministration = path.startsWith('/administration');
  const isPlanShown = planShownAt === path;
  const plant = plantPath(useRouter().basepath).slice(1);
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const showPlan = () => {
    flushSync(() => setPlanShownAt(path));
    filter.current?.focus();
  };
  // The palette does not take the place of a view that is being named.
  const openPalette = () => setOpen((known) => (known === 'save' ? known : 'palette'));
  useKeys({ onPalette: openPalette, onKeys: () => setOpen('keys'), onFilter: showPlan });
  const planButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isPlanShown) return undefined;
    const hide = ({ key, target }: KeyboardEvent) => {
      // The key empties a field that holds something.
      if (key !== 'Escape' || (target instanceof HTMLInputElement && target.value !== '')) return;
      setPlanShownAt(undefined);
      planButton.current?.focus();
    };
    document.addEventListener('keydown', hide, { capture: true });
    return () => document.removeEventListener('keydown', hide, { capture: true });
  }, [isPlanShown]);
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-plan={isPlanShown ? 'shown' : undefined}
      style={{ '--tree': `${treeWidth}px` } as CSSProperties}
    >
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <TopBar
        onPalette={() => setOpen('palette')}
        onKeys={() => setOpen('keys')}
        onSave={() => setOpen('save')}
        planButton={planButton}
        isPlanShown={isPlanShown}
        onPlan={(isByKey) => {
          if (isPlanShown) setPlanShownAt(undefined);
          else if (isByKey) showPlan();
          else setPlanShownAt(path);
        }}
      />
      <ConnectionNotice />
      <div className={styles.side}>
        {isAdministration ? <AdministrationNavigation /> : <PlanTree filterRef={filter} />}
        <TreeEdge frame={frame} />
      </div>
      <main id="content" tabIndex={-1} className={styles.main}>
        <div className={styles.paperHead}>
          <span>{plant}</span>
          <CompanyLogo />
        </div>
        <Outlet />
      </main>
      {open === 'palette' && (
        <Suspense>
          <Palette onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      <SaveView isOpen={open === 'save'} onClose={() => setOpen(undefined)} />
      <KeyList isOpen={open === 'keys'} onClose={() => setOpen(undefined)} />
    </div>
  );
}
