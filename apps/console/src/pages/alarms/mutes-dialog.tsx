import type { AlarmMute } from '@sinebar/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { useFormats, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { rightsPathOf } from '../../quality/alarms/alarm-facts';
import { queryKeys } from '../../server/queries/keys';
import { namesOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useRights } from '../../server/session/use-session';
import { texts } from './texts';
import styles from './alarms.module.css';
import textStyles from '../../design/styles/text.module.css';

/** The planned stops that are not over; with the right they can be ended. */
export function MutesDialog({ mutes, onClose }: { mutes: readonly AlarmMute[]; onClose: () => void }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const may = useRights();
  const ending = useMutation({
    mutationFn: (uuid: string) => server.alarms.unmute(uuid),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.alarms('mutes') }),
  });
  return (
    <Dialog title={t.mutesTitle} isOpen onClose={onClose} buttons={<Button onPress={onClose}>{t.closeDialog}</Button>}>
      <ul className={styles.stops}>
        {mutes.map((mute) => {
          const { uuid, partPath, from, until, reason, user } = mute;
          const name = namesOf(partPath).join(' / ');
          return (
            <li key={uuid}>
              <div>
                <strong>{name}</strong>
                <p>{reason}</p>
                <p className={textStyles.note}>
                  {t.muteOf(dateTime(from), dateTime(until))}
                  {user !== undefined && (
                    <>
                      {', '}
                      <bdi>{user}</bdi>
                    </>
                  )}
                </p>
              </div>
              {may('note:write', rightsPathOf(mute)) && (
                <Button kind="quiet" aria-label={t.endMuteOf(name)} isDisabled={ending.isPending} onPress={() => ending.mutate(uuid)}>
                  {t.endMute}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {mutes.length === 0 && <p>{t.noMutes}</p>}
      {ending.error && <Failed error={ending.error} />}
    </Dialog>
  );
}
