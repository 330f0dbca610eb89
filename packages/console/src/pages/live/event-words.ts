import type { Measurement } from '@sinebar/client';
import { useCallback } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import type { Status } from '../../design/status/glyph';
import { TIME_KEY } from '../../quality/values/measurement-values';
import { namesOf } from '../../server/queries/plan-path';
import { countsOf, worstOf, type StatusCounts } from '../../quality/values/value-statuses';
import type { ChangeEntry } from './event-log';
import type { KnownNames } from './event-places';
import { texts } from './texts';

/** An event in words, with the status of what it is about. */
export interface EventWords {
  status: Status | undefined;
  text: string;
  counts?: StatusCounts;
}

/** Returns a function that says what happened; `names` are what is known by now. */
export function useEventWords(names: KnownNames): (event: ChangeEntry) => EventWords {
  const t = useTexts(texts);
  const formats = useFormats();
  return useCallback(
    (event) => {
      switch (event.name) {
        case 'MeasurementCreated':
        case 'MeasurementModified': {
          const measurement = names.measurements.get(event.payload.MeasurementUuid);
          if (!measurement) return { status: undefined, text: '' };
          const counts = countsOf(measurement);
          const values = t.values(formats.count(counts.values));
          const bad = [
            ...(counts.out > 0 ? [t.outCount(formats.count(counts.out))] : []),
            ...(counts.warning > 0 ? [t.warningCount(formats.count(counts.warning))] : []),
          ];
          const verdict = counts.values === 0 ? [] : bad.length > 0 ? bad : [t.allIn];
          return { status: worstOf(counts), text: [...idOf(measurement), values, ...verdict].join(', '), counts };
        }
        case 'MeasurementDeleted':
        case 'PartCreated':
        case 'PartModified':
        case 'PartDeleted':
        case 'CharacteristicCreated':
        case 'CharacteristicModified':
        case 'CharacteristicDeleted':
          return { status: undefined, text: '' };
        case 'RawDataCreated':
        case 'RawDataDeleted':
          return { status: undefined, text: event.payload.Filename };
        case 'RawDataModified': {
          const { OldFilename, NewFilename } = event.payload;
          return { status: undefined, text: OldFilename === NewFilename ? NewFilename : t.renamed(OldFilename, NewFilename) };
        }
        case 'PartMoved':
        case 'CharacteristicMoved': {
          const place = (path: string) => (path === '' ? '…' : namesOf(path).join(' / '));
          return { status: undefined, text: t.moved(place(event.payload.FromPath), place(event.payload.ToPath)) };
        }
        case 'ConfigurationModified':
          return { status: undefined, text: `${t[`of${event.payload.EntityType}`]}: ${event.payload.AttributeKeys.join(', ')}` };
      }
    },
    [formats, names, t],
  );
}

/** The first attribute that is no time and no catalog key distinguishes measurements, such as a serial number. */
function idOf({ attributes }: Measurement): string[] {
  const text = Object.entries(attributes).find(([key, value]) => Number(key) !== TIME_KEY && !/^\d{1,5}$/.test(value));
  return text ? [text[1]] : [];
}
