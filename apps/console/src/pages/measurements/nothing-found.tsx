import { useQueries } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Empty } from '../../design/states/pane-state';
import type { Configuration } from '../../quality/attributes/configuration';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { formatConditions, type ConditionFields } from '../../quality/conditions/condition-text';
import { texts } from './texts';
import { useConditionWords } from '../../quality/conditions/use-condition-text';
import { MAX_LISTED, measurementQuery, type MeasurementChoice } from './use-measurements';

type NothingFoundProps =
  | { reason: 'unreadable'; onShowAll: () => void }
  | {
      reason: 'empty' | 'emptyBelow' | 'conditions';
      conditions: readonly ConditionFields[];
      choice: MeasurementChoice;
      configuration: Configuration;
      onChange: (conditions: readonly ConditionFields[]) => void;
      onShowBelow: () => void;
    };

/** Says why no measurement is listed, and the next step. */
export function NothingFound(props: NothingFoundProps) {
  const t = useTexts(texts);
  if (props.reason === 'unreadable') {
    return (
      <Empty>
        <p>{t.unreadable}</p>
        <Button onPress={props.onShowAll}>{t.removeAll}</Button>
      </Empty>
    );
  }
  if (props.reason === 'conditions') return <NoMatch {...props} />;
  return (
    <Empty>
      <p>{props.reason === 'empty' ? t.empty : t.emptyBelow}</p>
      {props.reason === 'emptyBelow' && <Button onPress={props.onShowBelow}>{t.showBelow}</Button>}
    </Empty>
  );
}

type NoMatchProps = Exclude<NothingFoundProps, { reason: 'unreadable' }>;

/** Says which condition is the narrow one: the one without which most are found. */
function NoMatch({ conditions, choice, configuration, onChange }: NoMatchProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const wordsOf = useConditionWords(configuration);
  const without = conditions.map((_, index) => conditions.filter((__, other) => other !== index));
  const counts = useQueries({
    queries: without.map((others) => {
      const relaxed = { ...choice, searchCondition: formatConditions(others) };
      return {
        queryKey: queryKeys.measurements('count', relaxed),
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const found = await server.measurements.search({
            ...measurementQuery(relaxed),
            requestedMeasurementAttributes: 'None',
            limitResult: MAX_LISTED,
            signal,
          });
          return found.length;
        },
      };
    }),
  });
  const most = Math.max(0, ...counts.map(({ data }) => data ?? 0));
  const narrow = counts.findIndex(({ data }) => data === most);
  const condition = most > 0 ? conditions[narrow] : undefined;
  const words = condition && wordsOf([condition]);
  return (
    <Empty>
      <p>
        <strong>{conditions.length === 1 ? t.nothing : t.nothingAll}</strong>
      </p>
      {words && (
        <>
          <p>{t.without(`${words.name} ${words.operator} ${words.value}`, `${formats.count(most)}${most === MAX_LISTED ? '+' : ''}`)}</p>
          <Button kind="primary" onPress={() => onChange(without[narrow] ?? [])}>
            {t.removeThat}
          </Button>
        </>
      )}
    </Empty>
  );
}
