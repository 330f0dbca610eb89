import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { deliveryQuery } from '../../server/queries/alarm-queries';
import { useServer } from '../../server/server';
import { texts } from './texts';
import styles from './subscriptions.module.css';

/** Says how a test message went, once it has been tried. */
export function TestResult({ uuid, receiver }: { uuid: string; receiver: string }) {
  const t = useTexts(texts);
  const { data, error } = useQuery(deliveryQuery(useServer(), uuid));
  if (error) return <Failed error={error} />;
  const { state, answer = '' } = data ?? {};
  const isAnswered = state !== undefined && state !== 'sending' && (state !== 'waiting' || answer !== '');
  return (
    <p role="status" className={styles.result}>
      {!isAnswered ? (
        t.testing(receiver)
      ) : state === 'delivered' ? (
        <>
          <Glyph name="inLimits" label="" /> {t.tested(receiver, answer)}
        </>
      ) : (
        <>
          <Glyph name="outOfTolerance" label="" /> {t.testFailed(receiver, answer)}
        </>
      )}
    </p>
  );
}
