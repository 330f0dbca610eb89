import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Split } from '../../design/layout/split';
import { Facts, Page } from '../../design/page/page';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { useAttributeText, useConfiguration } from '../../quality/attributes/configuration';
import { attributeFacts } from '../../quality/attributes/attribute-facts';
import { measuredRows } from '../../quality/values/measured-rows';
import {
  TIME_KEY,
  useComparedMeasurement,
  useMeasurementContent,
  useNeighbours,
  type MeasurementContent,
} from '../../quality/values/measurement-values';
import { Crumbs } from '../../quality/plan/crumbs';
import { useAncestors } from '../../quality/plan/use-plan-items';
import { namesOf } from '../../server/queries/plan-path';
import { useView, useAddressedItems } from '../../server/use-view';
import { AboutMeasurement } from './about-measurement';
import { useMeasurementNotes } from './measurement-notes';
import { AGAINST_NOTHING, type MeasurementAddress } from './search';
import { StepsNav } from './steps-nav';
import { texts } from './texts';
import { useTimeText } from './use-time-text';
import { ValuesSpectrum } from './values-spectrum';
import { ValuesTable } from './values-table';

/** One measurement: its values worst first against another one, its attributes and its files. */
export function MeasurementPage() {
  const t = useTexts(texts);
  const { measurementUuid } = useAddressedItems();
  const content = useMeasurementContent(measurementUuid);
  if (content.data !== undefined) return <Content content={content.data} />;
  return (
    <Page title={t.title}>
      {content.error === null ? <Skeleton rows={12} /> : <Failed error={content.error} onRetry={() => void content.refetch()} />}
    </Page>
  );
}

function Content({ content }: { content: MeasurementContent }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const timeText = useTimeText();
  const { measurement, part, characteristics } = content;
  const { against } = useView<MeasurementAddress>().view;
  const { configuration } = useConfiguration();
  const attributeText = useAttributeText(configuration);
  const ancestors = useAncestors(part.path);
  const neighbours = useNeighbours(measurement);
  const comparedUuid = against === AGAINST_NOTHING ? undefined : (against ?? neighbours.data?.before?.uuid);
  const compared = useComparedMeasurement(comparedUuid);
  const before = comparedUuid === undefined ? undefined : compared.data;
  const rows = useMemo(() => measuredRows(characteristics, measurement, before), [characteristics, measurement, before]);
  const notes = useMeasurementNotes(content);
  const valueCount = rows.filter(({ status }) => status !== 'noData').length;
  const { [TIME_KEY]: _time, ...attributes } = measurement.attributes;
  const facts = [
    ...attributeFacts(attributes, configuration, attributeText),
    { name: t.values, value: t.valuesOf(formats.count(valueCount), formats.count(rows.length)) },
    { name: t.written, value: formats.dateTime(measurement.created) },
  ];
  return (
    <Page
      title={timeText(measurement) ?? t.withoutTime}
      crumbs={
        <Crumbs>
          {[
            ...[...ancestors, { uuid: part.uuid, name: namesOf(part.path).at(-1) ?? '/' }].map(({ uuid, name }) => (
              <Link key={uuid} to="/parts/$partUuid" params={{ partUuid: uuid }}>
                {name}
              </Link>
            )),
            <Link
              key="measurements"
              to="/parts/$partUuid/measurements"
              params={{ partUuid: part.uuid }}
              search={{ selected: measurement.uuid }}
            >
              {t.measurements}
            </Link>,
          ]}
        </Crumbs>
      }
      tabs={<StepsNav neighbours={neighbours.data} />}
      facts={<Facts facts={facts} />}
    >
      <Fill>
        <ValuesSpectrum rows={rows} />
        <Split
          detailLabel={t.about}
          detail={<AboutMeasurement content={content} rows={rows} before={before} configuration={configuration} notes={notes.query} />}
        >
          <ValuesTable
            content={content}
            rows={rows}
            before={before}
            comparedUuid={comparedUuid}
            comparedError={compared.error}
            notes={notes.byCharacteristic}
          />
        </Split>
      </Fill>
    </Page>
  );
}
