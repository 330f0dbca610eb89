import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { useDebounced } from '../../design/page/use-debounced';
import { useConfiguration } from '../../quality/attributes/configuration';
import { planIndexQuery } from '../../server/queries/plan-index';
import { useServer } from '../../server/server';
import { PAGES } from '../sections';
import { texts as shellTexts } from '../texts';
import { dayOfText } from './day-of-text';
import { conditionOfDay, dayCountQuery, filesQuery, measurementsQuery, NAMING_KEYS } from './found-measurements';
import { texts } from './texts';

const MAX_PLAN_RESULTS = 12;
const MAX_MEASUREMENTS = 8;
/** Time after the last key at which measurements and files are searched, ms. */
const SEARCH_AFTER_MS = 200;
const TIME_KEY = 4;

export interface Result {
  key: string;
  name: string;
  /** What it is, or where it stands. */
  note: string;
  group: 'plan' | 'measurements' | 'files' | 'goTo';
  open: () => void;
}

/** Everything that has a name with the text: plan and pages at once, measurements and files as they are found. */
export function useResults(typed: string): { results: Result[]; isLoading: boolean; error: unknown } {
  const plan = usePlanResults(typed);
  const text = useDebounced(typed.trim(), SEARCH_AFTER_MS);
  const measured = useMeasurementResults(text);
  const files = useFileResults(text);
  const pages = usePageResults(typed);
  const isWaiting = text !== typed.trim();
  return {
    results: [...plan.results, ...measured.results, ...files.results, ...pages],
    isLoading: plan.isLoading || measured.isLoading || files.isLoading || isWaiting,
    error: plan.error ?? measured.error ?? files.error,
  };
}

function usePageResults(typed: string): Result[] {
  const sections = useTexts(shellTexts);
  const navigate = useNavigate();
  const wanted = typed.trim().toLowerCase();
  return PAGES.filter(({ name }) => sections[name].toLowerCase().includes(wanted)).map(({ to, name }) => ({
    key: to.replaceAll('/', '-'),
    name: sections[name],
    note: '',
    group: 'goTo',
    open: () => void navigate({ to }),
  }));
}

function usePlanResults(typed: string) {
  const navigate = useNavigate();
  const { data: index, isPending, error } = useQuery(planIndexQuery(useServer()));
  const found = useMemo(() => index?.search(typed.trim(), MAX_PLAN_RESULTS) ?? [], [index, typed]);
  const results = found.map(({ kind, uuid, partUuid, name, parentPath }): Result => ({
    key: uuid,
    name,
    note: parentPath,
    group: 'plan',
    open: () =>
      void navigate(
        kind === 'part'
          ? { to: '/parts/$partUuid', params: { partUuid } }
          : { to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid: uuid } },
      ),
  }));
  return { results, isLoading: isPending, error };
}

function useMeasurementResults(text: string) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const server = useServer();
  const navigate = useNavigate();
  const { configuration } = useConfiguration();
  const { data: index } = useQuery(planIndexQuery(server));
  const keys = NAMING_KEYS.filter((key) => configuration.byKey.has(key));
  const day = dayOfText(text, language);
  const exact = useQuery(measurementsQuery(server, text, keys, 'In'));
  const like = useQuery(measurementsQuery(server, text, keys, 'Like'));
  const count = useQuery(dayCountQuery(server, day));
  const named = [...(exact.data ?? []), ...(like.data ?? [])]
    .filter(({ measurement }, i, all) => all.findIndex((other) => other.measurement.uuid === measurement.uuid) === i)
    .slice(0, MAX_MEASUREMENTS)
    .map(({ key, measurement: { uuid, partUuid, attributes } }): Result => {
      const part = index?.items.find((item) => item.uuid === partUuid)?.name;
      const about = [configuration.byKey.get(key)?.description, part, formats.dayTime(attributes[TIME_KEY])];
      return {
        key: uuid,
        name: attributes[key] ?? '',
        note: about.filter((word) => word !== undefined && word !== '').join(' · '),
        group: 'measurements',
        open: () => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid: uuid } }),
      };
    });
  const ofDay: Result[] =
    day === undefined
      ? []
      : [
          {
            key: 'day',
            name: t.ofDay(formats.date(day.from)),
            note: count.data === undefined ? '' : formats.count(count.data),
            group: 'measurements',
            open: () => void navigate({ to: '/measurements', search: { searchCondition: conditionOfDay(day) } }),
          },
        ];
  return {
    results: [...ofDay, ...named],
    isLoading: exact.isLoading || like.isLoading,
    error: exact.error ?? like.error,
  };
}

function useFileResults(text: string) {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const { data = [], isLoading, error } = useQuery(filesQuery(useServer(), text));
  const results = data.map(({ target, key, fileName, size }): Result => ({
    key: `${target.entity}-${target.uuid}-${key}`.replaceAll('|', '-'),
    name: fileName,
    note: `${t[target.entity]} · ${formats.size(size)}`,
    group: 'files',
    open: () => void navigate({ to: '/files', search: { of: 'all', find: fileName } }),
  }));
  return { results, isLoading, error };
}
