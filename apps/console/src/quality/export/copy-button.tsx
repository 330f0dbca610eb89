import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { copyTable } from '../../design/export/copy-table';
import type { CsvTable } from '../../design/export/csv';
import { selectedText } from '../../design/export/selected-text';
import { defineTexts, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';

const texts = defineTexts({
  en: { copy: 'Copy table', copying: 'Copying …', copied: 'Table copied' },
  de: { copy: 'Tabelle kopieren', copying: 'Wird kopiert …', copied: 'Tabelle kopiert' },
});

/** Time for which the button says that it has copied, ms. */
const SAID_FOR_MS = 2_000;

/**
 * Copies the table of the page for a spreadsheet: the button, and Ctrl C while a table has the focus and no text is selected.
 * Numbers of a selection are copied with all digits.
 */
export function CopyButton({ table }: { table: () => CsvTable | undefined | Promise<CsvTable> }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const copying = useMutation({
    mutationFn: async () => {
      const shown = table();
      if (shown) await copyTable(shown, language);
    },
  });
  const { isPending, isSuccess, reset, mutate } = copying;
  useEffect(() => {
    if (!isSuccess) return undefined;
    const timer = setTimeout(reset, SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, reset]);
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const selection = getSelection();
    const text = selection === null ? undefined : selectedText(selection, language);
    if (text !== undefined) {
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text);
      return;
    }
    if (!(document.activeElement instanceof HTMLTableElement) || selection?.isCollapsed === false) return;
    event.preventDefault();
    mutate();
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onCopy(event);
    document.addEventListener('copy', listener);
    return () => document.removeEventListener('copy', listener);
  }, []);
  return (
    <>
      {copying.error !== null && <Failed error={copying.error} />}
      <QuietButton onPress={() => mutate()}>
        <span aria-live="polite">{isSuccess ? t.copied : isPending ? t.copying : t.copy}</span>
      </QuietButton>
    </>
  );
}
