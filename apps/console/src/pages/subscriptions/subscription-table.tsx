import type { AlarmSubscription } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import listed from '../../design/tables/listed.module.css';
import table from '../../design/tables/table.module.css';
import { texts } from './texts';
import { useSubscriptionWords } from './use-subscription-words';

interface SubscriptionTableProps {
  subscriptions: readonly AlarmSubscription[];
  isTesting: boolean;
  onTest: (subscription: AlarmSubscription) => void;
  onEdit: (subscription: AlarmSubscription) => void;
  onRemove: (subscription: AlarmSubscription) => void;
}

/** Subscriptions with what they tell to whom, and why some of them rest. */
export function SubscriptionTable({ subscriptions, isTesting, onTest, onEdit, onRemove }: SubscriptionTableProps) {
  const t = useTexts(texts);
  const words = useSubscriptionWords();
  const hasOthers = subscriptions.some(({ own }) => !own);
  return (
    <div className={table.scrolled}>
      <table className={`${table.data} ${listed.wide}`} aria-label={t.title}>
        <thead>
          <tr>
            <td className={table.glyph} />
            <th scope="col">{t.receiver}</th>
            <th scope="col">{t.where}</th>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.state}</th>
            {hasOthers && <th scope="col">{t.user}</th>}
            <td />
          </tr>
        </thead>
        <tbody>
          {subscriptions.map((subscription) => {
            const { uuid, paused, user } = subscription;
            const receiver = words.receiver(subscription);
            return (
              <tr key={uuid}>
                <td className={table.glyph}>
                  <Glyph name={paused === undefined ? 'inLimits' : 'inWarning'} label="" />
                </td>
                <th scope="row">
                  {receiver}
                  <span className={listed.second}>{words.shape(subscription)}</span>
                </th>
                <td>{words.where(subscription)}</td>
                <td>{words.what(subscription)}</td>
                <td>
                  {paused === undefined ? t.active : t[`paused_${paused}`]}
                  <span className={listed.second}>
                    <Link to="/administration/deliveries" search={{ subscription: uuid }}>
                      {t.deliveries}
                    </Link>
                  </span>
                </td>
                {hasOthers && (
                  <td>
                    <bdi>{user}</bdi>
                  </td>
                )}
                <td className={listed.actions}>
                  <Button
                    kind="quiet"
                    aria-label={t.testOf(receiver)}
                    isDisabled={isTesting || paused !== undefined}
                    onPress={() => onTest(subscription)}
                  >
                    {t.test}
                  </Button>
                  <Button kind="quiet" aria-label={t.editOf(receiver)} onPress={() => onEdit(subscription)}>
                    {t.edit}
                  </Button>
                  <Button kind="quietDanger" aria-label={t.removeOf(receiver)} onPress={() => onRemove(subscription)}>
                    {t.remove}
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
