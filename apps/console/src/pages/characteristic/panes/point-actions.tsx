import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import { texts as alarmTexts } from '../../../quality/alarms/texts';
import { texts as noteTexts } from '../../../quality/notes/texts';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

/** What can be done with the point at the cursor; what cannot be done is absent. */
export interface PointActs {
  exclude?: (() => void) | undefined;
  note?: (() => void) | undefined;
  open?: (() => void) | undefined;
  alarm?: (() => void) | undefined;
}

/** Buttons for the point at the cursor. */
export function PointActions({ exclude, note, open, alarm }: PointActs) {
  const t = useTexts(texts);
  const words = useTexts(noteTexts);
  const alarms = useTexts(alarmTexts);
  return (
    <>
      {exclude && (
        <Button kind="quiet" onPress={exclude}>
          {t.exclude}
        </Button>
      )}
      {note && (
        <Button kind="quiet" onPress={note}>
          {words.add}
        </Button>
      )}
      {alarm && (
        <Button kind="quiet" onPress={alarm}>
          {alarms.show}
        </Button>
      )}
      {open && (
        <Button kind="quiet" onPress={open}>
          {t.openMeasurement}
        </Button>
      )}
    </>
  );
}

/** The same buttons below a chart, where they are pressed with a thumb. */
export function PointActionsBelow(acts: PointActs) {
  return (
    <div className={styles.pointActions}>
      <PointActions {...acts} />
    </div>
  );
}
