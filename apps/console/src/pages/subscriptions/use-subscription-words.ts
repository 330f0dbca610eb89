import { ALARM_KINDS, type AlarmSubscription } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { namesOf } from '../../server/queries/plan-path';
import { texts } from './texts';

/** Writes what subscriptions say. */
export function useSubscriptionWords() {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const { count } = useFormats();
  const receiver = ({ receiver: told }: AlarmSubscription) => (told.kind === 'email' ? told.address : told.url);
  const shape = ({ receiver: told }: AlarmSubscription) => (told.kind === 'email' ? '' : t[`shape_${told.shape}`]);
  const where = ({ partPath }: AlarmSubscription) => {
    if (partPath === undefined) return t.noPart;
    return namesOf(partPath).join(' / ') || t.allParts;
  };
  const kindsOf = ({ kinds }: AlarmSubscription) =>
    kinds.length === ALARM_KINDS.length ? t.allKinds : kinds.map((kind) => words[`kind_${kind}`]).join(', ');
  const howOf = ({ digest }: AlarmSubscription) => {
    if (digest === undefined) return t.atOnce;
    return 'at' in digest ? t.at(digest.at.join(', ')) : t.every(count(digest.everyMinutes));
  };
  const what = (subscription: AlarmSubscription) => {
    const { escalateAfterMinutes, quietHours } = subscription;
    return [
      kindsOf(subscription),
      escalateAfterMinutes !== undefined && t.escalated(count(escalateAfterMinutes)),
      howOf(subscription),
      quietHours && t.quiet(quietHours.from, quietHours.to),
    ]
      .filter((part) => part !== undefined && part !== false)
      .join('; ');
  };
  return { receiver, shape, where, what };
}
