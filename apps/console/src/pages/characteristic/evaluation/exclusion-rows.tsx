import type { Evaluation } from '@sinebar/client';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import type { Fields } from '../../../quality/editing/draft';
import { excludedMeasurement, exclusionField } from './evaluation-fields';
import { texts } from './texts';
import styles from './evaluation.module.css';
import table from '../../../design/tables/table.module.css';

export interface ExclusionRowsProps {
  /** Exclusions of all levels, as they are stored. */
  exclusions: Evaluation['exclusions'];
  /** Fields of the item with the changes of the reader, and as they are stored. */
  fields: Fields;
  stored: Fields;
  isReadOnly: boolean;
  describeMeasurement: (measurementUuid: string) => string;
  onChange: (field: string, text: string) => void;
}

/** What is left out: value and time, reason, who and when; what is excluded here can be included again. */
export function ExclusionRows({ exclusions, fields, stored, isReadOnly, describeMeasurement, onChange }: ExclusionRowsProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const added = Object.keys(fields).flatMap((field) => {
    const measurementUuid = excludedMeasurement(field);
    if (measurementUuid === undefined || stored[field] !== undefined || fields[field] === '') return [];
    return [{ measurementUuid, reason: fields[field] ?? '', time: undefined, user: undefined }];
  });
  const rows = [...exclusions, ...added];
  return (
    <section>
      <PaneHead name={t.excluded} note={rows.length > 0 && formats.count(rows.length)} isSpaced />
      {rows.length === 0 ? (
        <p className={styles.hint}>{t.excludedNone}</p>
      ) : (
        <div className={styles.scrolled} tabIndex={0} role="region" aria-label={t.excluded}>
          <table className={`${table.data} ${styles.rows}`}>
            <thead>
              <tr>
                <th scope="col">{t.value}</th>
                <th scope="col">{t.reason}</th>
                <th scope="col">{t.who}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {rows.map(({ measurementUuid, reason, user, time }) => {
                const field = exclusionField(measurementUuid);
                const value = describeMeasurement(measurementUuid);
                const isOwn = field in stored || field in fields;
                const isIncluded = isOwn && (fields[field] ?? '') === '';
                return (
                  <tr key={measurementUuid}>
                    <th scope="row">{value}</th>
                    <td dir="auto">{isIncluded ? t.included : isOwn ? (fields[field] ?? reason) : `${reason} (${t.ofThePart})`}</td>
                    <td>
                      {user !== undefined && <bdi>{user}</bdi>} {time !== undefined && formats.dateTime(time)}
                    </td>
                    <td>
                      {isOwn && !isReadOnly && (
                        <Button
                          kind="quiet"
                          aria-label={isIncluded ? `${t.undo}: ${value}` : t.includeOf(value)}
                          onPress={() => onChange(field, isIncluded ? (stored[field] ?? '') : '')}
                        >
                          {isIncluded ? t.undo : t.include}
                        </Button>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
