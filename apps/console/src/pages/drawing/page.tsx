import { ROOT_PART_UUID } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../design/language/language';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { useDrawing } from '../../quality/files/use-drawing';
import { PartPage } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { plainPathOf } from '../../server/queries/plan-path';
import { useMay } from '../../server/session/use-session';
import { useAddressedItems } from '../../server/use-view';
import { BalloonEditor } from './balloon-editor';
import { texts } from './texts';

/** The drawing of a part with the balloons of its characteristics. */
export function DrawingPage() {
  const t = useTexts(texts);
  const { partUuid = ROOT_PART_UUID } = useAddressedItems();
  const part = usePart(partUuid);
  const partPath = part.data && plainPathOf(part.data.path);
  const mayRead = useMay('rawData:read', partPath);
  const drawing = useDrawing(partUuid, partPath);
  const file = drawing.data?.file;
  if (part.data !== undefined && file !== undefined) return <BalloonEditor key={partUuid} part={part.data} file={file} />;
  const isKnown = part.data !== undefined && (drawing.data !== undefined || !mayRead);
  return (
    <PartPage partUuid={partUuid} view="drawing">
      {isKnown ? (
        <Empty>
          <p>{mayRead ? t.none : t.noRight}</p>
          {mayRead && (
            <p>
              <Link to="/parts/$partUuid/files" params={{ partUuid }}>
                {t.toFiles}
              </Link>
            </p>
          )}
        </Empty>
      ) : drawing.error !== null ? (
        <Failed error={drawing.error} onRetry={() => void drawing.refetch()} />
      ) : (
        <Skeleton rows={8} />
      )}
    </PartPage>
  );
}
