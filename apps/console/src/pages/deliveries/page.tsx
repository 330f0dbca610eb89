import { DELIVERY_STATES } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { Choice } from '../../design/controls/choice';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { OptionsLine } from '../../design/layout/lines';
import { Page } from '../../design/page/page';
import { Nothing } from '../../design/states/nothing';
import { Failed, Pane } from '../../design/states/pane-state';
import { deliveriesQuery, MAX_DELIVERIES, subscriptionsQuery } from '../../server/queries/alarm-queries';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useView } from '../../server/use-view';
import { DeliveryTable } from './delivery-table';
import type { DeliveriesAddress } from './search';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Messages about alarms with their receivers, answers and times of the next try. */
export function DeliveriesPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} facts={<p className={textStyles.answer}>{t.lead}</p>}>
      <Fill>
        <Deliveries />
      </Fill>
    </Page>
  );
}

function Deliveries() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const { view, change } = useView<DeliveriesAddress>();
  const { state, subscription } = view;
  const list = useQuery(
    deliveriesQuery(server, {
      ...(state !== undefined && { state }),
      ...(subscription !== undefined && { subscriptionUuid: subscription }),
    }),
  );
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery(server));
  const retrying = useMutation({
    mutationFn: (uuid: string) => server.subscriptions.retry(uuid),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.alarms('deliveries') }),
  });
  const nameOf = (uuid: string) => {
    const receiver = subscriptions.find((each) => each.uuid === uuid)?.receiver;
    return receiver === undefined ? t.one : receiver.kind === 'email' ? receiver.address : receiver.url;
  };
  const isFiltered = (state ?? subscription) !== undefined;
  const found = list.data?.length ?? 0;
  return (
    <>
      <OptionsLine>
        <Choice
          what={t.state}
          value={state === undefined ? t.all : state === 'cancelled' ? t.cancelledShort : t[state]}
          options={[{ id: 'all' as const, name: t.all }, ...DELIVERY_STATES.map((id) => ({ id, name: t[id] }))]}
          chosen={state ?? 'all'}
          onChoose={(id) => change({ state: id === 'all' ? undefined : id })}
        />
        <Choice
          what={t.subscription}
          value={subscription === undefined ? t.all : nameOf(subscription)}
          options={[
            { id: '', name: t.all },
            ...[...new Set([...subscriptions.map(({ uuid }) => uuid), ...(subscription === undefined ? [] : [subscription])])].map(
              (uuid) => ({
                id: uuid,
                name: nameOf(uuid),
              }),
            ),
          ]}
          chosen={subscription ?? ''}
          onChoose={(uuid) => change({ subscription: uuid === '' ? undefined : uuid })}
        />
        {list.data && <span>{found < MAX_DELIVERIES ? t.found(count(found), found === 1) : t.foundCut(count(found))}</span>}
      </OptionsLine>
      {retrying.error && <Failed error={retrying.error} />}
      <Pane query={list}>
        {(deliveries) =>
          deliveries.length > 0 ? (
            <DeliveryTable deliveries={deliveries} isBusy={retrying.isPending} onRetry={(uuid) => retrying.mutate(uuid)} />
          ) : (
            <Nothing title={isFiltered ? t.noMatch : t.none}>
              {isFiltered ? (
                <Button onPress={() => change({ state: undefined, subscription: undefined })}>{t.removeFilters}</Button>
              ) : (
                t.noneText
              )}
            </Nothing>
          )
        }
      </Pane>
    </>
  );
}
