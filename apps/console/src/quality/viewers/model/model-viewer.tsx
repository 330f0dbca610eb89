import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import { Skeleton } from '../../../design/states/pane-state';
import { queryKeys } from '../../../server/queries/keys';
import type { ViewerProps } from '../content-viewer-props';
import { Sentence } from '../sentence';
import { ModelCanvas } from './model-canvas';
import { ModelError } from './model-file';
import { texts } from './model-texts';
import { readModel } from './read-model';

/** A model that can be turned, or a sentence that says why there is none. */
export function ModelViewer({ source, content }: ViewerProps) {
  const t = useTexts(texts);
  const [attempt, setAttempt] = useState(0);
  const [isLost, setLost] = useState(false);
  const onLost = useCallback(() => setLost(true), []);
  const model = useQuery({
    queryKey: queryKeys.content('model', source.id),
    queryFn: () => readModel(content.bytes),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    // Models are compared by their bytes, which their key names.
    structuralSharing: false,
  });
  if (model.error !== null) return <Sentence>{textOf(model.error, t)}</Sentence>;
  if (model.data === undefined) return <Skeleton />;
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

function textOf(error: unknown, t: ReturnType<typeof useTexts<typeof texts.en>>): string {
  if (!(error instanceof ModelError)) return t.broken;
  const text = t[error.problem];
  return typeof text === 'string' ? text : text(error.detail);
}
