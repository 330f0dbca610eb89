import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { ChoiceForm } from '../../design/controls/choice-form';
import { useTexts } from '../../design/language/language';
import { shortPath } from '../../quality/parts/short-path';
import { planIndexQuery } from '../../server/queries/plan-index';
import { useServer } from '../../server/server';
import { texts } from './texts';
import styles from './compare.module.css';
import textStyles from '../../design/styles/text.module.css';

/** Most names that a search shows. */
const MAX_FOUND = 12;

/** Finds a characteristic by its name and adds it to the comparison. */
export function AddCharacteristic({ chosen, onAdd }: { chosen: readonly string[]; onAdd: (uuid: string) => void }) {
  const t = useTexts(texts);
  return (
    <ChoiceForm value={t.add}>
      {(close) => (
        <Search
          chosen={chosen}
          onAdd={(uuid) => {
            onAdd(uuid);
            close();
          }}
        />
      )}
    </ChoiceForm>
  );
}

function Search({ chosen, onAdd }: { chosen: readonly string[]; onAdd: (uuid: string) => void }) {
  const server = useServer();
  const t = useTexts(texts);
  const [text, setText] = useState('');
  const index = useQuery(planIndexQuery(server));
  const found = (index.data?.search(text, MAX_FOUND * 4) ?? [])
    .filter(({ kind, uuid }) => kind === 'characteristic' && !chosen.includes(uuid))
    .slice(0, MAX_FOUND);
  return (
    <>
      <label className={styles.find}>
        {t.find}
        <input autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <ul className={styles.found}>
        {found.map(({ uuid, name, parentPath }) => (
          <li key={uuid}>
            <Button kind="quiet" onPress={() => onAdd(uuid)}>
              <span>{name}</span>
              <span className={textStyles.soft} title={parentPath}>
                {shortPath(parentPath)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {text !== '' && index.data && found.length === 0 && <p className={textStyles.explanation}>{t.nothingFound}</p>}
    </>
  );
}
