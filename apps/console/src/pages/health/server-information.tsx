import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../design/language/language';
import { NamedValues } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Pane } from '../../design/states/pane-state';
import { serviceInformationQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import styles from './health.module.css';
import { texts } from './texts';

/** Time between two questions for the counts, ms. */
const EVERY_MS = 60_000;

/** Version, sign-in and features of the server, and how much it holds. */
export function ServerInformation() {
  const t = useTexts(texts);
  const { count, dateTime } = useFormats();
  // A new server has not counted yet and says -1.
  const counted = (figure: number) => (figure < 0 ? t.notCounted : count(figure));
  const information = useQuery({ ...serviceInformationQuery(useServer()), refetchInterval: EVERY_MS });
  return (
    <Pane query={information}>
      {(known) => (
        <div className={styles.server}>
          <section>
            <PaneHead name={t.server} />
            <NamedValues
              values={[
                { name: t.name, value: known.serverName },
                { name: t.version, value: known.version },
                { name: t.edition, value: known.edition },
                { name: t.signIn, value: known.securityEnabled ? t.needed : t.notNeeded },
                { name: t.features, value: known.featureList.join(', ') },
              ]}
            />
          </section>
          <section>
            <PaneHead name={t.holds} />
            <NamedValues
              values={[
                // The server counts the root of the plan, which nobody calls a part.
                { name: t.parts, value: counted(known.partCount > 0 ? known.partCount - 1 : known.partCount) },
                { name: t.characteristics, value: counted(known.characteristicCount) },
                { name: t.measurements, value: counted(known.measurementCount) },
                { name: t.values, value: counted(known.valueCount) },
                { name: t.planChanged, value: dateTime(known.inspectionPlanTimestamp) },
                { name: t.measured, value: dateTime(known.measurementTimestamp) },
                { name: t.configurationChanged, value: dateTime(known.configurationTimestamp) },
                { name: t.catalogsChanged, value: dateTime(known.catalogTimestamp) },
              ]}
            />
          </section>
        </div>
      )}
    </Pane>
  );
}
