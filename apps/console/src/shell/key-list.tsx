import { Button } from '../design/controls/button';
import { Dialog } from '../design/controls/dialog';
import { Key } from '../design/controls/text-field';
import { defineTexts, useTexts } from '../design/language/language';
import styles from './key-list.module.css';
import { texts as shellTexts } from './texts';

const texts = defineTexts({
  en: {
    title: 'Keys',
    everywhere: 'Everywhere',
    find: 'find a part, a characteristic or a page',
    filter: 'filter the plan',
    list: 'this list',
    copy: 'copy the table that has the focus',
    go: 'to the section',
    inPlan: 'In the plan',
    move: 'move',
    fold: 'open and close a part',
    open: 'open what is marked',
    letters: 'to what begins with the letters',
    inAlarms: 'In the alarms',
    choose: 'choose one more',
    acknowledge: 'acknowledge',
    closeAlarm: 'close, with cause and action',
    inChart: 'In a chart',
    cursor: 'move the cursor by a value',
    zoom: 'zoom',
    whole: 'the whole range',
  },
  de: {
    title: 'Tasten',
    everywhere: 'Überall',
    find: 'ein Teil, ein Merkmal oder eine Seite suchen',
    filter: 'den Plan filtern',
    list: 'diese Liste',
    copy: 'die Tabelle mit dem Fokus kopieren',
    go: 'zum Bereich',
    inPlan: 'Im Plan',
    move: 'bewegen',
    fold: 'ein Teil auf- und zuklappen',
    open: 'das Markierte öffnen',
    letters: 'zu dem, was mit den Buchstaben beginnt',
    inAlarms: 'In den Alarmen',
    choose: 'einen weiteren wählen',
    acknowledge: 'bestätigen',
    closeAlarm: 'schließen, mit Ursache und Maßnahme',
    inChart: 'In einem Diagramm',
    cursor: 'den Cursor um einen Wert bewegen',
    zoom: 'vergrößern, verkleinern',
    whole: 'der ganze Bereich',
  },
});

/** The list of all keys. */
export function KeyList({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(texts);
  const { close, ...sections } = useTexts(shellTexts);
  const groups: [string, [string[], string][]][] = [
    [
      t.everywhere,
      [
        [['Ctrl', 'K'], t.find],
        [['/'], t.filter],
        [['Ctrl', 'C'], t.copy],
        [['g', 'p'], `${t.go} ${sections.parts}`],
        [['g', 'i'], `${t.go} ${sections.alarms}`],
        [['g', 'c'], `${t.go} ${sections.compare}`],
        [['g', 'm'], `${t.go} ${sections.measurements}`],
        [['g', 'f'], `${t.go} ${sections.files}`],
        [['g', 'r'], `${t.go} ${sections.reports}`],
        [['g', 'l'], `${t.go} ${sections.live}`],
        [['g', 'a'], `${t.go} ${sections.administration}`],
        [['?'], t.list],
      ],
    ],
    [
      t.inPlan,
      [
        [['↑', '↓'], t.move],
        [['←', '→'], t.fold],
        [['Enter'], t.open],
        [['a–z'], t.letters],
      ],
    ],
    [
      t.inAlarms,
      [
        [['j', 'k'], t.move],
        [['x'], t.choose],
        [['a'], t.acknowledge],
        [['c'], t.closeAlarm],
      ],
    ],
    [
      t.inChart,
      [
        [['←', '→'], t.cursor],
        [['+', '−'], t.zoom],
        [['0'], t.whole],
      ],
    ],
  ];
  return (
    <Dialog title={t.title} isOpen={isOpen} onClose={onClose} buttons={<Button onPress={onClose}>{close}</Button>}>
      {groups.map(([name, keys]) => (
        <section key={name} className={styles.group}>
          <h3>{name}</h3>
          <dl>
            {keys.map(([pressed, what]) => (
              <div key={what}>
                <dt>
                  {pressed.map((key) => (
                    <Key key={key}>{key}</Key>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
