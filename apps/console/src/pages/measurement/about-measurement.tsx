import type { MeasurementWithValues, Note, RawDataInformation } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useFormats, useTexts } from '../../design/language/language';
import { NamedValues } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Pane, type PaneQuery } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { characteristicOf, fileId } from '../../quality/files/file-targets';
import { FilePreview } from '../../quality/files/file-preview';
import { attributeChanges, statusChanges, type MeasuredRow } from '../../quality/values/measured-rows';
import { measurementFilesQuery } from '../../quality/files/measurement-files';
import { TIME_KEY, type MeasurementContent } from '../../quality/values/measurement-values';
import { useServer } from '../../server/server';
import { MeasurementNotes } from './measurement-notes';
import styles from './measurement.module.css';
import { texts } from './texts';
import { useTimeText } from './use-time-text';
import textStyles from '../../design/styles/text.module.css';
import optionStyles from '../../design/styles/option.module.css';

export interface AboutMeasurementProps {
  content: MeasurementContent;
  rows: readonly MeasuredRow[];
  /** The measurement that this one stands against. */
  before: MeasurementWithValues | undefined;
  configuration: Configuration;
  /** Notes about the measurement. */
  notes: PaneQuery<readonly Note[]>;
}

/** Most names in one line of differences. */
const MAX_NAMES = 6;

/** Shows differences to the other measurement, the attributes, and the files with those of the values. */
export function AboutMeasurement({ content, rows, before, configuration, notes }: AboutMeasurementProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const attributeText = useAttributeText(configuration);
  const { measurement } = content;
  const definitions = configuration.of('measurement');
  const given = Object.entries(measurement.attributes);
  return (
    <>
      {before && <Differences measurement={measurement} before={before} rows={rows} configuration={configuration} />}
      <PaneHead
        name={t.attributes}
        note={t.attributesNote(formats.count(given.length), formats.count(Math.max(definitions.length, given.length)))}
        isSpaced={before !== undefined}
      />
      <NamedValues
        values={given.map(([key, text]) => {
          const shown = attributeText(Number(key), text);
          return { name: configuration.byKey.get(Number(key))?.description ?? key, value: shown.text, note: shown.note };
        })}
      />
      <MeasurementNotes query={notes} content={content} rows={rows} />
      <Files content={content} rows={rows} />
    </>
  );
}

interface DifferencesProps {
  measurement: MeasurementWithValues;
  before: MeasurementWithValues;
  rows: readonly MeasuredRow[];
  configuration: Configuration;
}

function Differences({ measurement, before, rows, configuration }: DifferencesProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const timeText = useTimeText();
  const attributeText = useAttributeText(configuration);
  const { newlyOut, newlyInWarning, backInLimits } = statusChanges(rows);
  const attributes = attributeChanges(measurement.attributes, before.attributes, [TIME_KEY]);
  const isSame = newlyOut.length + newlyInWarning + backInLimits + attributes.length === 0;
  const names = newlyOut.slice(0, MAX_NAMES).join(', ');
  const hidden = newlyOut.length - MAX_NAMES;
  return (
    <>
      <PaneHead name={t.differs(timeText(before) ?? t.withoutTime)} />
      <ul className={styles.differences}>
        {newlyOut.length > 0 && (
          <li>
            <Glyph name="outOfTolerance" label="" />
            <p>
              <strong>{formats.count(newlyOut.length)}</strong> {t.newlyOut} {names}
              {hidden > 0 && ` ${t.andMore(formats.count(hidden))}`}
            </p>
          </li>
        )}
        {newlyInWarning > 0 && (
          <li>
            <Glyph name="inWarning" label="" />
            <p>
              <strong>{formats.count(newlyInWarning)}</strong> {t.newlyInWarning}
            </p>
          </li>
        )}
        {backInLimits > 0 && (
          <li>
            <Glyph name="inLimits" label="" />
            <p>
              <strong>{formats.count(backInLimits)}</strong> {t.backInLimits}
            </p>
          </li>
        )}
        {attributes.map(({ key, before: old, after }) => (
          <li key={key}>
            <span />
            <p>
              {configuration.byKey.get(key)?.description ?? key} {old !== undefined && <s>{attributeText(key, old).text}</s>}
              {after === undefined ? t.missing : attributeText(key, after).text}
            </p>
          </li>
        ))}
        {isSame && (
          <li>
            <span />
            <p>{t.noDifference}</p>
          </li>
        )}
      </ul>
    </>
  );
}

function Files({ content: { measurement, part }, rows }: { content: MeasurementContent; rows: readonly MeasuredRow[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const files = useQuery(measurementFilesQuery(server, measurement.uuid));
  const [chosen, setChosen] = useState<string>();
  const itemNameOf = (file: RawDataInformation) => {
    const uuid = characteristicOf(file);
    return uuid === undefined ? t.ofMeasurement : (rows.find((row) => row.uuid === uuid)?.name ?? '');
  };
  return (
    <Pane query={files}>
      {(found) => {
        const shown = found.find((file) => fileId(file) === chosen) ?? found[0];
        const size = found.reduce((sum, file) => sum + file.size, 0);
        return (
          <>
            <PaneHead isSpaced name={t.files} note={found.length > 0 && t.filesNote(formats.count(found.length), formats.size(size))} />
            {shown === undefined ? (
              <p className={textStyles.soft}>{t.noFiles}</p>
            ) : (
              <>
                <figure className={styles.preview}>
                  <FilePreview file={shown} />
                </figure>
                <ul className={styles.files}>
                  {found.map((file) => (
                    <li key={fileId(file)}>
                      <ToggleButton className={optionStyles.option} isSelected={file === shown} onChange={() => setChosen(fileId(file))}>
                        <span className={textStyles.cut}>{file.fileName}</span>
                        <span className={textStyles.note}>{itemNameOf(file)}</span>
                        <span className={styles.fileSize}>{formats.size(file.size)}</span>
                      </ToggleButton>
                    </li>
                  ))}
                </ul>
              </>
            )}
            <p>
              <Link
                to="/parts/$partUuid/files"
                params={{ partUuid: part.uuid }}
                search={shown === undefined ? {} : { selected: fileId(shown) }}
                className={styles.link}
              >
                {t.openFiles}
              </Link>
            </p>
          </>
        );
      }}
    </Pane>
  );
}
