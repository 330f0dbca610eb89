import type { ReactNode } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { Choice, MultipleChoice } from '../../design/controls/choice';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare } from '../../design/layout/lines';
import { AsProgram } from '../../design/program/program';
import type { Configuration } from '../../quality/attributes/configuration';
import { ExportMenu } from '../../quality/export/export-menu';
import { nameOf } from '../../server/queries/plan-path';
import type { MeasurementsChange } from './search';
import { texts } from './texts';
import { useMeasurementTable } from './use-measurement-table';
import { measurementQuery, type MeasurementChoice } from './use-measurements';
import styles from './measurements.module.css';

export interface MeasurementOptionsProps {
  partPath: string;
  isEverywhere: boolean;
  /** Whether measurements of the parts below are listed too. */
  isDeep: boolean;
  /** What is listed; absent while the conditions cannot be read. */
  choice: MeasurementChoice | undefined;
  /** Keys of the attributes that are shown. */
  columns: readonly number[];
  definitions: readonly { readonly key: number; readonly description: string }[];
  configuration: Configuration;
  change: (change: MeasurementsChange) => void;
  /** Measurements that would be deleted. */
  chosen: number;
  canDelete: boolean;
  onDelete: () => void;
  /** Says how many were found. */
  found: ReactNode;
}

/** The line above the table: what was found, how deep, and what can be done with it. */
export function MeasurementOptions(props: MeasurementOptionsProps) {
  const { partPath, isEverywhere, isDeep, choice, columns, definitions, configuration, change, chosen, canDelete, onDelete, found } = props;
  const t = useTexts(texts);
  const formats = useFormats();
  const readTable = useMeasurementTable(columns, configuration);
  return (
    <OptionsLine
      actions={
        <>
          <Rare>
            {choice && (
              <AsProgram
                requests={[
                  { title: t.title, path: '/dataServiceRest/measurements', query: measurementQuery(choice) },
                  { title: t.valuesHead, path: '/dataServiceRest/values', query: measurementQuery(choice) },
                ]}
              />
            )}
            {choice && (
              <ExportMenu title={[nameOf(partPath), t.title]} table={() => readTable(choice)} canPrint values={measurementQuery(choice)} />
            )}
            <MultipleChoice
              what={t.columns}
              value={formats.count(columns.length)}
              options={definitions.map(({ key, description }) => ({ id: String(key), name: description }))}
              chosen={columns.map(String)}
              onChoose={(keys) => change({ columns: keys.length === 0 ? undefined : keys })}
            />
            {chosen === 0 && (
              <QuietButton isDanger isDisabled>
                {t.deleteNone}
              </QuietButton>
            )}
          </Rare>
          {chosen > 0 && (
            <QuietButton isDanger isDisabled={!canDelete} onPress={onDelete}>
              {t.deleteSome(formats.count(chosen))}
            </QuietButton>
          )}
        </>
      }
    >
      <p className={styles.result} role="status">
        {found}
      </p>
      {!isEverywhere && (
        <Rare>
          <Choice
            what={t.below}
            value={isDeep ? t.allLevels : t.thisPart}
            options={[
              { id: 'this', name: t.thisPart },
              { id: 'all', name: t.allLevels },
            ]}
            chosen={isDeep ? 'all' : 'this'}
            onChoose={(which) => change({ deep: which === 'all' ? true : undefined, selected: undefined })}
          />
        </Rare>
      )}
    </OptionsLine>
  );
}
