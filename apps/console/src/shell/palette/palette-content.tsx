import { useDeferredValue, useState, type KeyboardEvent } from 'react';
import { Key } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import styles from './palette.module.css';
import textStyles from '../../design/styles/text.module.css';
import { texts } from './texts';
import { useResults, type Result } from './use-results';

/** The field of the palette, and what it finds. */
export function Content({ onClose }: { onClose: () => void }) {
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
          placeholder={t.hint}
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
      {results.length === 0 && !isLoading && error === null && <p className={styles.nothing}>{t.nothing}</p>}
      {isLoading && text !== '' && (
        <p role="status" className={styles.nothing}>
          {t.searching}
        </p>
      )}
      {error !== null && <p className={styles.nothing}>{t.failed}</p>}
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
        <span className={textStyles.soft}>{result.note}</span>
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
