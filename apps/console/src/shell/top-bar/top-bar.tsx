import { Link, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import type { Ref } from 'react';
import { Button } from '../../design/controls/button';
import { Key } from '../../design/controls/text-field';
import { Menu } from '../../design/controls/menu';
import { useTexts } from '../../design/language/language';
import { Brand } from '../../design/styles/logo';
import { useSession } from '../../server/session/use-session';
import { SECTIONS } from '../sections';
import { texts } from '../texts';
import { usePreferences } from '../use-preferences';
import { AlarmCount } from './alarm-count';
import { LiveIndicator } from './live-indicator';
import styles from './top-bar.module.css';

interface TopBarProps {
  onPalette: () => void;
  onKeys: () => void;
  onSave: () => void;
  planButton: Ref<HTMLButtonElement>;
  /** Whether the plan lies above the content of a narrow window. */
  isPlanShown: boolean;
  /** @param isByKey whether the plan is to have the focus */
  onPlan: (isByKey: boolean) => void;
}

/** The bar above every page: mark, sections, search, events, language, theme, user. */
export function TopBar({ onPalette, onKeys, onSave, planButton, isPlanShown, onPlan }: TopBarProps) {
  const t = useTexts(texts);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = SECTIONS.find(({ to }) => to !== '/' && path.startsWith(to.replace(/(?<=.)\/.*/, '')))?.to ?? '/';
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.brand}>
        <Brand />
      </Link>
      <span className={styles.planButton}>
        <Button kind="quiet" ref={planButton} aria-expanded={isPlanShown} onPress={({ pointerType }) => onPlan(pointerType === 'keyboard')}>
          {t.plan}
        </Button>
      </span>
      <SectionsMenu onSave={onSave} />
      <nav aria-label={t.sections} className={styles.sections}>
        {SECTIONS.map(({ to, name }) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} {...(to === current && { 'aria-current': 'page' })}>
            {t[name]}
          </Link>
        ))}
      </nav>
      <button type="button" className={styles.search} onClick={onPalette} aria-label={t.find} aria-keyshortcuts="Control+K">
        <span className={styles.searchText}>{t.find}</span>
        <span className={styles.searchShort} aria-hidden>
          {t.findShort}
        </span>
        <span className={styles.keys} aria-hidden>
          <Key>Ctrl</Key> <Key>K</Key>
        </span>
      </button>
      <div className={styles.status}>
        <AlarmCount />
        <LiveIndicator />
        <Settings onKeys={onKeys} onSave={onSave} />
      </div>
    </header>
  );
}

/** Language, theme and user. */
function Settings({ onKeys, onSave }: { onKeys: () => void; onSave: () => void }) {
  const t = useTexts(texts);
  const { language, theme, set } = usePreferences();
  const { basepath } = useRouter();
  const { state, session } = useSession();
  const otherLanguage = language === 'en' ? 'de' : 'en';
  const otherTheme = theme === 'light' ? 'dark' : 'light';
  const user = state.step === 'signed-in' ? state.permissions.userName : '';
  return (
    <>
      <span className={styles.setting}>
        <Button kind="quiet" onPress={() => set({ language: otherLanguage })} aria-label={t.toLanguage}>
          {otherLanguage.toUpperCase()}
        </Button>
      </span>
      <span className={styles.setting}>
        <Button kind="quiet" onPress={() => set({ theme: otherTheme })}>
          {t[otherTheme]}
        </Button>
      </span>
      <span className={styles.setting}>
        <Menu
          button={{ children: user === '' ? t.help : user, 'aria-label': user === '' ? t.help : t.user(user) }}
          entries={[
            { key: 'save', name: t.save, onAction: onSave },
            { key: 'keys', name: t.keys, onAction: onKeys },
            {
              key: 'interface',
              name: t.interface,
              onAction: () => window.open(new URL(`${basepath.replace(/[^/]+\/*$/, '')}docs`, location.href), '_blank', 'noopener'),
            },
            ...(state.step === 'signed-in' && state.way !== 'none'
              ? [{ key: 'out', name: t.signOut, onAction: () => void session.signOut(), beginsGroup: true }]
              : []),
          ]}
        />
      </span>
    </>
  );
}

/** The sections and the settings behind one button, on a phone. */
function SectionsMenu({ onSave }: { onSave: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { language, theme, set } = usePreferences();
  const { state, session } = useSession();
  return (
    <span className={styles.menuButton}>
      <Menu
        button={{ children: t.menu }}
        entries={[
          ...SECTIONS.map(({ to, name }) => ({ key: to, name: t[name], onAction: () => void navigate({ to }) })),
          { key: 'save', name: t.save, onAction: onSave, beginsGroup: true },
          { key: 'language', name: t.toLanguage, onAction: () => set({ language: language === 'en' ? 'de' : 'en' }) },
          {
            key: 'theme',
            name: theme === 'light' ? t.dark : t.light,
            onAction: () => set({ theme: theme === 'light' ? 'dark' : 'light' }),
          },
          ...(state.step === 'signed-in' && state.way !== 'none'
            ? [{ key: 'out', name: t.signOut, onAction: () => void session.signOut() }]
            : []),
        ]}
      />
    </span>
  );
}
