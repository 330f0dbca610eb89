import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import { useTitle } from '../../design/page/page';
import { Glyph } from '../../design/status/glyph';
import { Logo } from '../../design/styles/logo';
import type { SessionState } from '../../server/session/session';
import { useSession } from '../../server/session/use-session';
import styles from './sign-in.module.css';
import { texts } from './texts';

type SignedOut = Extract<SessionState, { step: 'signed-out' }>;

/** Shows the form before somebody has signed in. */
export function SignInPage() {
  const t = useTexts(texts);
  const { state } = useSession();
  useTitle(t.title);
  return (
    <main className={styles.page}>
      <Content state={state} heading={(children) => <h1 className={styles.title}>{children}</h1>} />
    </main>
  );
}

/** Asks for other credentials above a page whose own are no longer accepted. */
export function SignInDialog() {
  const t = useTexts(texts);
  const { state, session } = useSession();
  if (state.step !== 'signed-out') return null;
  return (
    <Dialog
      title={t.again}
      isOpen
      role="alertdialog"
      buttons={
        <Button kind="quiet" onPress={() => void session.signOut()}>
          {t.leave}
        </Button>
      }
    >
      <p>{t.againReason}</p>
      {state.ways.basic && <p>{t.typedStays}</p>}
      {state.ways.openId && <p>{t.providerLeaves}</p>}
      <Ways state={state} />
    </Dialog>
  );
}

function Content({ state, heading }: { state: SessionState; heading: (children: ReactNode) => ReactNode }) {
  const t = useTexts(texts);
  if (state.step === 'unreachable') {
    return (
      <section className={styles.box} role="status">
        {heading(t.unreachable)}
        <p className={styles.reason}>{t.unreachableReason}</p>
      </section>
    );
  }
  if (state.step !== 'signed-out') return <p className={styles.quiet} aria-busy="true" />;
  return (
    <section className={styles.box}>
      {heading(
        <>
          <Logo />
          {t.title}
        </>,
      )}
      <Ways state={state} />
    </section>
  );
}

function Ways({ state }: { state: SignedOut }) {
  const t = useTexts(texts);
  const { session } = useSession();
  const { ways, problem } = state;
  const provider = ways.openId && (
    <Button kind={ways.basic ? 'plain' : 'primary'} onPress={() => void session.signInAtProvider()}>
      {t.byProvider}
    </Button>
  );
  return (
    <>
      {ways.basic ? <PasswordForm provider={provider} /> : <div className={styles.buttons}>{provider}</div>}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          <Glyph name="outOfTolerance" label="" />
          {problem.kind === 'refused' && t.refused}
          {problem.kind === 'no-rights' && t.noRights}
          {problem.kind === 'too-many-attempts' && t.tooMany(problem.seconds)}
          {problem.kind === 'failed' && problem.message}
        </p>
      )}
      {ways.basic && <p className={styles.reason}>{t.forgotten}</p>}
    </>
  );
}

function PasswordForm({ provider }: { provider: ReactNode }) {
  const t = useTexts(texts);
  const { session } = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    void session.signIn(name, password).finally(() => setBusy(false));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField label={t.name} value={name} onChange={setName} autoComplete="username" autoFocus isRequired />
      <TextField label={t.password} type="password" value={password} onChange={setPassword} autoComplete="current-password" isRequired />
      <div className={styles.buttons}>
        {provider}
        <Button kind="primary" type="submit" isDisabled={isBusy || name === ''}>
          {t.signIn}
        </Button>
      </div>
    </form>
  );
}
