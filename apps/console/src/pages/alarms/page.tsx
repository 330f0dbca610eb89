import { useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Page } from '../../design/page/page';
import { AlarmsView } from './alarms-view';
import { texts } from './texts';

/** The inbox of alarms: what goes wrong, since when, and what to do. */
export function AlarmsPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title}>
      <Fill>
        <AlarmsView />
      </Fill>
    </Page>
  );
}
