import type { CsvTable } from '../../design/export/csv';
import { useTexts } from '../../design/language/language';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { countsOf } from '../../quality/values/value-statuses';
import { useServer } from '../../server/server';
import { texts } from './texts';
import { measurementQuery, MAX_LISTED, TIME_KEY, type MeasurementChoice } from './use-measurements';

/** Reads the list as a table: time, the chosen attributes, and the counts of the values. */
export function useMeasurementTable(
  columns: readonly number[],
  configuration: Configuration,
): (choice: MeasurementChoice) => Promise<CsvTable> {
  const t = useTexts(texts);
  const server = useServer();
  const attributeText = useAttributeText(configuration);
  return async (choice) => {
    const found = await server.measurements.search({
      ...measurementQuery(choice),
      requestedMeasurementAttributes: [TIME_KEY, ...columns],
      statistics: 'Simple',
      limitResult: MAX_LISTED,
    });
    const names = columns.map((key) => configuration.byKey.get(key)?.description ?? String(key));
    const rows = found.map((measurement) => {
      const { values, out, warning } = countsOf(measurement);
      const attribute = (key: number) => {
        const text = measurement.attributes[key] ?? '';
        const definition = configuration.byKey.get(key);
        // Numbers and times stay as the interface has them, so that other programs read them; entries get their names.
        if (definition?.definitionType === 'CatalogAttributeDefinition') return attributeText(key, text).text;
        const isNumber = definition?.type === 'Float' || definition?.type === 'Integer';
        return isNumber && text !== '' ? Number(text) : text;
      };
      return [attribute(TIME_KEY), ...columns.map(attribute), values, out, warning];
    });
    return { head: [t.time, ...names, t.valueCount, t.out, t.warning], rows };
  };
}
