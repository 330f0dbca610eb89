import type { ConditionOperator } from '@sinebar/query-language';
import { useCallback, useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { entryText, numberText } from '../attributes/attribute-text';
import type { Configuration } from '../attributes/configuration';
import type { ConditionFields } from './condition-text';
import { conditionFields, fieldOf, type ConditionField, type FieldType } from './condition-words';
import { rangeFrom } from './date-ranges';
import { texts } from './texts';

/** A condition in the words of the reader. */
export interface ConditionWords {
  name: string;
  operator: string;
  value: string;
}

/** Lists the fields for conditions, in the language of the reader. */
export function useConditionFields(configuration: Configuration): ConditionField[] {
  const t = useTexts(texts);
  return useMemo(
    () => conditionFields(configuration.of('measurement'), { lastModified: t.lastModified, created: t.created }),
    [configuration, t],
  );
}

/** Returns a function that names an operator for a type of field. */
export function useOperatorName(): (operator: ConditionOperator, type: FieldType) => string {
  const t = useTexts(texts);
  return useCallback(
    (operator, type) => {
      if (type === 'time' && (operator === '>' || operator === '>=' || operator === '<' || operator === '<=')) return t[`time${operator}`];
      return t[`op${operator}`];
    },
    [t],
  );
}

/** Returns a function that says a condition, or the two of a range of time, in words. */
export function useConditionWords(configuration: Configuration): (conditions: readonly ConditionFields[]) => ConditionWords {
  const fields = useConditionFields(configuration);
  const operatorName = useOperatorName();
  const formats = useFormats();
  const t = useTexts(texts);
  return useCallback(
    (conditions) => {
      const condition = conditions[0]!;
      const field = fieldOf(condition, fields);
      const valueText = (value: string) => {
        switch (field.type) {
          case 'catalog':
            return entryText(configuration.catalogs.get(field.catalog ?? ''), value, field.name, configuration.byKey).text;
          case 'number':
            return numberText(value, formats);
          case 'time':
            return timeText(value);
          case 'text':
            return value === '' ? '""' : value;
        }
      };
      const timeText = (value: string) => {
        const time = new Date(value);
        if (Number.isNaN(time.getTime())) return value;
        return time.getHours() === 0 && time.getMinutes() === 0 ? formats.date(time) : formats.dateTime(time);
      };
      const range = rangeFrom(conditions);
      if (range) {
        const { choice, from, to } = range;
        const written = choice === 'between' ? `${timeText(from.toISOString())} … ${timeText(to.toISOString())}` : formats.date(from);
        return { name: field.name, operator: choice === 'onDay' ? t.on : choice === 'inWeek' ? t.week : '', value: written };
      }
      const [name = ''] = operatorName(condition.operator, field.type).split(',');
      return { name: field.name, operator: name, value: condition.values.map(valueText).join(', ') };
    },
    [configuration, fields, formats, operatorName, t],
  );
}
