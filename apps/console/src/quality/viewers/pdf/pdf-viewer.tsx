import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { TextField } from '../../../design/controls/text-field';
import { useTexts } from '../../../design/language/language';
import { Failed, Skeleton } from '../../../design/states/pane-state';
import type { ViewerProps } from '../content-viewer-props';
import { Sentence } from '../sentence';
import styles from '../viewer.module.css';
import { PdfPages } from './pdf-pages';
import { texts } from './pdf-texts';
import { usePdf } from './use-pdf';

/** A PDF whose pages are drawn when they come into view. */
export function PdfViewer({ content }: ViewerProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState<string>();
  const { opening, error } = usePdf(content, password);

  if (error !== undefined) return <Failed error={error} />;
  if (opening === undefined) return <Skeleton />;
  if (opening.state === 'broken') return <Sentence>{t.broken}</Sentence>;
  if (opening.state === 'locked') return <Locked isWrong={opening.isWrong} onPassword={setPassword} />;
  return <PdfPages document={opening.document} first={opening} />;
}

function Locked({ isWrong, onPassword }: { isWrong: boolean; onPassword: (password: string) => void }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  return (
    <form
      className={styles.sentence}
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(typed);
      }}
    >
      <p>{t.locked}</p>
      <TextField
        label={t.password}
        type="password"
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={setTyped}
        validationBehavior="aria"
        error={isWrong ? t.wrong : undefined}
      />
      <Button kind="primary" type="submit" isDisabled={typed === ''}>
        {t.open}
      </Button>
    </form>
  );
}
