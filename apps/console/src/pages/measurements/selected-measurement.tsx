import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { useFormats, useTexts } from '../../design/language/language';
import { NamedValues, TableFoot } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Pane } from '../../design/states/pane-state';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { measuredRows, sortRows } from '../../quality/values/measured-rows';
import { measurementFilesQuery } from '../../quality/files/measurement-files';
import { TIME_KEY, useMeasurementContent, type MeasurementContent } from '../../quality/values/measurement-values';
import { ValueList } from '../../quality/values/value-list';
import { useServer } from '../../server/server';
import styles from './measurements.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

export interface SelectedMeasurementProps {
  uuid: string | undefined;
  configuration: Configuration;
  /** Rows above and below the selected one. */
  previous: string | undefined;
  next: string | undefined;
  onSelect: (uuid: string) => void;
}

/** Most values at the side; the page of the measurement has all. */
const MAX_VALUES = 14;

/** Attributes and the worst values of the selected measurement. */
export function SelectedMeasurement({ uuid, configuration, previous, next, onSelect }: SelectedMeasurementProps) {
  const t = useTexts(texts);
  const content = useMeasurementContent(uuid);
  if (uuid === undefined) return <p className={textStyles.soft}>{t.nothingSelected}</p>;
  return (
    <Pane query={content}>
      {(found) => (
        <Content
          content={found}
          configuration={configuration}
          steps={
            <span>
              <QuietButton
                aria-label={t.previous}
                isDisabled={previous === undefined}
                onPress={() => previous !== undefined && onSelect(previous)}
              >
                ↑
              </QuietButton>
              <QuietButton aria-label={t.next} isDisabled={next === undefined} onPress={() => next !== undefined && onSelect(next)}>
                ↓
              </QuietButton>
            </span>
          }
        />
      )}
    </Pane>
  );
}

function Content({ content, configuration, steps }: { content: MeasurementContent; configuration: Configuration; steps: React.ReactNode }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const attributeText = useAttributeText(configuration);
  const { measurement, characteristics, part } = content;
  const files = useQuery(measurementFilesQuery(server, measurement.uuid));
  const rows = useMemo(
    () =>
      sortRows(measuredRows(characteristics, measurement, undefined), 'worst', formats.compare).filter(({ status }) => status !== 'noData'),
    [characteristics, formats, measurement],
  );
  const units = [...new Set(rows.map(({ unit }) => unit))];
  const time = measurement.attributes[TIME_KEY];
  const attributes = Object.entries(measurement.attributes).filter(([key]) => Number(key) !== TIME_KEY);
  return (
    <>
      <div className={styles.detailHead}>
        <h2 className={textStyles.heading}>
          {time === undefined || Number.isNaN(Date.parse(time)) ? t.noTimeYet : formats.dateTime(time)}
        </h2>
        {steps}
      </div>
      <NamedValues
        values={attributes.map(([key, text]) => ({
          name: configuration.byKey.get(Number(key))?.description ?? key,
          value: attributeText(Number(key), text).text,
        }))}
      />
      <PaneHead level={3} name={t.valuesHead} note={t.valuesNote(formats.count(rows.length), units.length === 1 ? (units[0] ?? '') : '')} />
      <ValueList rows={rows.slice(0, MAX_VALUES)} partUuid={part.uuid} showUnits={units.length > 1} />
      <TableFoot note={files.data && files.data.length > 0 && t.files(formats.count(files.data.length))}>
        <Link to="/measurements/$measurementUuid" params={{ measurementUuid: measurement.uuid }}>
          {t.open}
        </Link>
      </TableFoot>
    </>
  );
}
