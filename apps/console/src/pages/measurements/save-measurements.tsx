import { useState } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { csvOf } from '../../design/export/csv';
import { saveFile } from '../../design/export/save-file';
import { useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { namesOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { texts } from './texts';
import { measurementQuery, MAX_LISTED, TIME_KEY, type MeasurementChoice } from './use-measurements';
import { countsOf } from '../../quality/values/value-statuses';

export interface SaveMeasurementsProps {
  choice: MeasurementChoice | undefined;
  columns: readonly number[];
  configuration: Configuration;
  partPath: string;
}

/** Saves the list as CSV: time, the chosen attributes, and the counts of the values. */
export function SaveMeasurements({ choice, columns, configuration, partPath }: SaveMeasurementsProps) {
  const t = useTexts(texts);
  const server = useServer();
  const attributeText = useAttributeText(configuration);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    if (choice === undefined) return;
    setError(undefined);
    try {
      const found = await server.measurements.search({
        ...measurementQuery(choice),
        requestedMeasurementAttributes: [TIME_KEY, ...columns],
        statistics: 'Simple',
        limitResult: MAX_LISTED,
      });
      const head = [
        t.time,
        ...columns.map((key) => configuration.byKey.get(key)?.description ?? String(key)),
        t.valueCount,
        t.out,
        t.warning,
      ];
      const lines = found.map((measurement) => {
        const { values, out, warning } = countsOf(measurement);
        const attribute = (key: number) => {
          const text = measurement.attributes[key] ?? '';
          const definition = configuration.byKey.get(key);
          // Numbers and times stay as the interface has them, so that other programs read them; entries get their names.
          if (definition?.definitionType === 'CatalogAttributeDefinition') return attributeText(key, text).text;
          return definition?.type === 'Float' || definition?.type === 'Integer' ? Number(text) : text;
        };
        return [attribute(TIME_KEY), ...columns.map(attribute), values, out, warning];
      });
      saveFile(`${namesOf(partPath).at(-1) ?? 'sinebar'} ${t.title}.csv`, csvOf(head, lines));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      {error !== undefined && <Failed error={error} />}
      <QuietButton onPress={() => void save()} isDisabled={choice === undefined}>
        {t.csv}
      </QuietButton>
    </>
  );
}
