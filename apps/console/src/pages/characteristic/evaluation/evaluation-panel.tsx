import { isOfCounts } from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { Dialog } from '../../../design/controls/dialog';
import { useTexts } from '../../../design/language/language';
import { Pane } from '../../../design/states/pane-state';
import { useHasDraft } from '../../../quality/editing/kept-draft';
import { queryKeys } from '../../../server/queries/keys';
import { evaluationQuery } from '../../../server/queries/analysis-queries';
import { nameOf, ownerPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { evaluationForm, type EvaluatedKind } from './evaluation-fields';
import { ItemEvaluation, type EvaluatedNames } from './item-evaluation';
import { texts } from './texts';

interface EvaluationButtonProps extends Pick<EvaluatedNames, 'search' | 'data'> {
  summary: CharacteristicSummary;
}

/** A button that opens the panel of the evaluation. */
export function EvaluationButton({ summary, search, data }: EvaluationButtonProps) {
  const t = useTexts(texts);
  const { characteristicUuid, partUuid, path, lastTime, firstTime } = summary;
  const hasDraft = useHasDraft();
  const [begun] = useState((): EvaluatedKind | undefined => {
    if (hasDraft(evaluationForm('part', partUuid))) return 'part';
    return hasDraft(evaluationForm('characteristic', characteristicUuid)) ? 'characteristic' : undefined;
  });
  const [isOpen, setOpen] = useState(begun !== undefined);
  const owner = ownerPathOf(path);
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {t.panel}
      </Button>
      {isOpen && (
        <EvaluationPanel
          characteristic={{ uuid: characteristicUuid, name: nameOf(path) }}
          part={{ uuid: partUuid, name: nameOf(owner), path: plainPathOf(owner) }}
          search={search}
          data={data}
          kind={begun ?? 'characteristic'}
          isOfCounts={isOfCounts(summary)}
          stageFrom={search.viewFrom ?? lastTime ?? firstTime ?? ''}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The evaluation of a characteristic, or of its part, as it holds for everybody. */
function EvaluationPanel({ kind: first, onClose, ...names }: EvaluatedNames & { kind: EvaluatedKind; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const { characteristic, part } = names;
  const [kind, setKind] = useState(first);
  const own = useQuery(evaluationQuery(server, characteristic.uuid));
  const ofPart = useQuery({
    queryKey: queryKeys.evaluation('of part', part.uuid),
    queryFn: ({ signal }) => server.analysis.evaluation({ partUuid: part.uuid }, { signal }),
    // Without the right to see the part, a characteristic can still be evaluated.
    retry: false,
  });
  const waiting = (query: { data: undefined; error: unknown; refetch: () => unknown }) => (
    <Dialog title={t.panelTitle(names[kind].name)} isOpen isWide onClose={onClose}>
      <Pane query={query}>{() => null}</Pane>
    </Dialog>
  );
  if (own.data === undefined) return waiting({ ...own, data: undefined });
  const chosen = kind === 'characteristic' ? own.data : ofPart.data;
  if (chosen === undefined) return waiting({ ...ofPart, data: undefined });
  return (
    <ItemEvaluation
      key={kind}
      {...names}
      kind={kind}
      evaluation={chosen}
      above={kind === 'characteristic' ? ofPart.data : undefined}
      onKind={setKind}
      onClose={onClose}
    />
  );
}
