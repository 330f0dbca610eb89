import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import { queryKeys } from '../../../server/queries/keys';
import type { ViewerProps } from '../content-viewer-props';
import { Sentence } from '../sentence';
import { texts as viewerTexts } from '../viewer-texts';
import styles from '../viewer.module.css';
import { ModelCanvas } from './model-canvas';
import { ModelError } from './model-file';
import { texts } from './model-texts';
import { readModel } from './read-model';

/** A model that can be turned, or a sentence that says why there is none. */
export function ModelViewer({ source, content }: ViewerProps) {
  const t = useTexts(texts);
  const { failed } = useTexts(viewerTexts);
  const [attempt, setAttempt] = useState(0);
  const [isLost, setLost] = useState(false);
  const onLost = useCallback(() => setLost(true), []);
  const queries = useQueryClient();
  const [isCancelled, setCancelled] = useState(false);
  const queryKey = queryKeys.content('model', source.id);
  const model = useQuery({
    queryKey,
    queryFn: ({ signal }) => readModel(content.bytes, signal),
    enabled: !isCancelled,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    // Models are compared by their bytes, which their key names.
    structuralSharing: false,
  });
  if (model.error !== null) return <Sentence>{textOf(model.error, t) ?? failed}</Sentence>;
  if (isCancelled) {
    return (
      <Sentence>
        {t.cancelled}
        <Button onPress={() => setCancelled(false)}>{t.build}</Button>
      </Sentence>
    );
  }
  if (model.data === undefined) {
    const cancel = () => {
      setCancelled(true);
      void queries.cancelQueries({ queryKey });
    };
    return (
      <div className={styles.sentence} role="status">
        <progress className={styles.progress} aria-label={t.building(source.fileName)} />
        <p>{t.building(source.fileName)}</p>
        <Button onPress={cancel}>{t.cancel}</Button>
      </div>
    );
  }
  if (isLost) {
    return (
      <Sentence>
        {t.lost}
        <Button
          onPress={() => {
            setLost(false);
            setAttempt((number) => number + 1);
          }}
        >
          {t.again}
        </Button>
      </Sentence>
    );
  }
  return <ModelCanvas key={attempt} name={source.fileName} model={model.data} onLost={onLost} />;
}

function textOf(error: unknown, t: ReturnType<typeof useTexts<typeof texts.en>>): string | undefined {
  if (!(error instanceof ModelError)) return undefined;
  const text = t[error.problem];
  return typeof text === 'string' ? text : text(error.detail);
}
