import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { Key } from '../../design/controls/text-field';
import { defineTexts, useTexts } from '../../design/language/language';
import { planIndexQuery } from '../../server/queries/plan-index';
import { useServer } from '../../server/server';
import { PAGES } from '../sections';
import { texts as shellTexts } from '../texts';
import styles from './palette.module.css';
import textStyles from '../../design/styles/text.module.css';

const texts = defineTexts({
  en: {
    find: 'Find or go to',
    results: 'Results',
    plan: 'Plan',
    goTo: 'Go to',
    choose: 'choose',
    open: 'open',
    nothing: 'Nothing has this name.',
    failed: 'The names of the plan could not be read.',
  },
  de: {
    find: 'Suchen oder öffnen',
    results: 'Ergebnisse',
    plan: 'Plan',
    goTo: 'Gehe zu',
    choose: 'wählen',
    open: 'öffnen',
    nothing: 'Nichts heißt so.',
    failed: 'Die Namen des Plans konnten nicht gelesen werden.',
  },
});

const MAX_RESULTS = 12;

interface Result {
  key: string;
  name: string;
  parentPath: string;
  group: 'plan' | 'goTo';
  open: () => void;
}

/** Finds parts, characteristics and pages by name. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable className={styles.underlay}>
      <Modal>
        <AriaDialog aria-label={t.find} className={styles.palette}>
          <Content onClose={onClose} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const { results, isLoading, error } = useResults(useDeferredValue(text));
  const at = Math.min(marked, results.length - 1);
  const choose = (result: Result | undefined) => {
    if (result === undefined) return;
    onClose();
    result.open();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setMarked((at + 1) % Math.max(results.length, 1));
    else if (event.key === 'ArrowUp') setMarked((at - 1 + results.length) % Math.max(results.length, 1));
    else if (event.key === 'Enter') choose(results[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.field}>
        <input
          autoFocus
          role="combobox"
          aria-label={t.find}
          aria-expanded
          aria-controls="palette-results"
          aria-activedescendant={results[at] && `palette-${results[at].key}`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMarked(0);
          }}
          onKeyDown={press}
        />
        <Key>Esc</Key>
      </div>
      <ul id="palette-results" role="listbox" aria-label={t.results} className={styles.results}>
        {results.map((result, i) => (
          <ResultRow
            key={result.key}
            result={result}
            group={result.group === results[i - 1]?.group ? undefined : t[result.group]}
            text={text}
            isMarked={i === at}
            onChoose={() => choose(result)}
          />
        ))}
      </ul>
      {results.length === 0 && !isLoading && <p className={styles.nothing}>{error === null ? t.nothing : t.failed}</p>}
      <p className={styles.foot} aria-hidden>
        <span>
          <Key>↑</Key> <Key>↓</Key> {t.choose}
        </span>
        <span>
          <Key>Enter</Key> {t.open}
        </span>
      </p>
    </>
  );
}

interface ResultRowProps {
  result: Result;
  group: string | undefined;
  text: string;
  isMarked: boolean;
  onChoose: () => void;
}

function ResultRow({ result, group, text, isMarked, onChoose }: ResultRowProps) {
  return (
    <>
      {group !== undefined && (
        <li role="presentation" className={styles.group}>
          {group}
        </li>
      )}
      <li id={`palette-${result.key}`} role="option" aria-selected={isMarked} className={styles.result} onClick={onChoose}>
        <span>
          <Marked name={result.name} text={text} />
        </span>
        <span className={textStyles.soft}>{result.parentPath}</span>
      </li>
    </>
  );
}

/** The name with the typed letters underlined. */
function Marked({ name, text }: { name: string; text: string }) {
  const at = text === '' ? -1 : name.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return name;
  return (
    <>
      {name.slice(0, at)}
      <mark>{name.slice(at, at + text.length)}</mark>
      {name.slice(at + text.length)}
    </>
  );
}

function useResults(text: string): { results: Result[]; isLoading: boolean; error: unknown } {
  const sections = useTexts(shellTexts);
  const navigate = useNavigate();
  const { data: index, isPending, error } = useQuery(planIndexQuery(useServer()));
  const results = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const pages = PAGES.filter(({ name }) => sections[name].toLowerCase().includes(wanted)).map(({ to, name }): Result => ({
      key: to.replaceAll('/', '-'),
      name: sections[name],
      parentPath: '',
      group: 'goTo',
      open: () => void navigate({ to }),
    }));
    const found = (index?.search(wanted, MAX_RESULTS) ?? []).map(({ kind, uuid, partUuid, name, parentPath }): Result => ({
      key: uuid,
      name,
      parentPath,
      group: 'plan',
      open: () =>
        void navigate(
          kind === 'part'
            ? { to: '/parts/$partUuid', params: { partUuid } }
            : { to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid: uuid } },
        ),
    }));
    return [...found, ...pages];
  }, [text, index, sections, navigate]);
  return { results, isLoading: isPending, error };
}
