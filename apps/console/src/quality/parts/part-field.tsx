import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { defineTexts, useTexts } from '../../design/language/language';
import { namesOf, plainPathOf } from '../../server/queries/plan-path';
import { planIndexQuery } from '../../server/queries/plan-index';
import { useServer } from '../../server/server';
import { shortPath } from './short-path';
import styles from './part-field.module.css';
import textStyles from '../../design/styles/text.module.css';

const texts = defineTexts({
  en: {
    part: 'Part',
    find: 'Find a part',
    other: 'Another part',
    all: 'All parts',
    everything: 'all parts',
    nothingFound: 'No part has these words in its name.',
  },
  de: {
    part: 'Teil',
    find: 'Ein Teil suchen',
    other: 'Ein anderes Teil',
    all: 'Alle Teile',
    everything: 'alle Teile',
    nothingFound: 'Kein Teil hat diese Wörter im Namen.',
  },
});

/** Most parts that a search shows, and items that it looks at. */
const MAX_FOUND = 12;
const MAX_SEARCHED = 500;

export interface PartFieldProps {
  /** Path of the part as rights take it: `/Car door/Frame`; `/` stands for all. */
  path: string | undefined;
  onChoose: (path: string) => void;
  /** Whether all parts may be chosen. */
  hasAll?: boolean;
}

/** A choice of one part of the plan, by its name. */
export function PartField({ path, onChoose, hasAll = false }: PartFieldProps) {
  const t = useTexts(texts);
  const [isSearching, setSearching] = useState(path === undefined);
  const choose = (chosen: string) => {
    onChoose(chosen);
    setSearching(false);
  };
  return (
    <div role="group" aria-label={t.part} className={styles.part}>
      {path !== undefined && (
        <p className={styles.chosen}>
          <span>
            {t.part} <strong>{path === '/' ? t.everything : namesOf(path).join(' / ')}</strong>
          </span>
          {!isSearching && <Button onPress={() => setSearching(true)}>{t.other}</Button>}
          {hasAll && path !== '/' && <Button onPress={() => choose('/')}>{t.all}</Button>}
        </p>
      )}
      {isSearching && <Search onChoose={choose} />}
    </div>
  );
}

function Search({ onChoose }: { onChoose: (path: string) => void }) {
  const t = useTexts(texts);
  const { data: index } = useQuery(planIndexQuery(useServer()));
  const [text, setText] = useState('');
  const found = (index?.search(text, MAX_SEARCHED) ?? []).filter(({ kind }) => kind === 'part').slice(0, MAX_FOUND);
  return (
    <div>
      <label className={styles.find}>
        {t.find}
        <input autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <ul className={styles.found}>
        {found.map(({ uuid, path, name, parentPath }) => (
          <li key={uuid}>
            <Button kind="quiet" onPress={() => onChoose(plainPathOf(path))}>
              <span>{name}</span>
              <span className={textStyles.soft} title={parentPath}>
                {shortPath(parentPath)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {text.trim() !== '' && index && found.length === 0 && <p className={textStyles.explanation}>{t.nothingFound}</p>}
    </div>
  );
}
