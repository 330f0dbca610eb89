import { processTexts } from '../values/process-texts';

/** A sentence of the server about figures, and the same in German. */
type Translation = readonly [sentence: RegExp, say: (...found: string[]) => string];

/** Says the name of a model, as the server writes it, in German. */
function modelName(name: string): string {
  const { en, de } = processTexts;
  const key = Object.keys(en).find((each): each is `model_${'normal'}` => each.startsWith('model_') && en[each as 'model_normal'] === name);
  return key === undefined ? name : de[key];
}

const ORDER: Readonly<Record<string, string>> = { below: 'unter', above: 'über' };
const samples = (text: string) => (text === '1 sample is' ? '1 Stichprobe ist' : `${Number.parseInt(text)} Stichproben sind`);

/** The notes of summaries, series, groups and correlations. */
const TRANSLATIONS: readonly Translation[] = [
  [/^There are no values\.$/, () => 'Es gibt keine Werte.'],
  [/^There is no tolerance, so capability is not defined\.$/, () => 'Es gibt keine Toleranz, also auch keine Fähigkeit.'],
  [
    /^The lower limit is not below the upper one, so capability is not defined\.$/,
    () => 'Die untere Grenze liegt nicht unter der oberen, also gibt es keine Fähigkeit.',
  ],
  [
    /^There is no (lower|upper) tolerance, so only the index of the (?:lower|upper) one is defined\.$/,
    (missing = '') =>
      missing === 'lower'
        ? 'Es gibt keine untere Toleranz, also nur den Index der oberen.'
        : 'Es gibt keine obere Toleranz, also nur den Index der unteren.',
  ],
  [/^There is one value, so the spread is not defined\.$/, () => 'Es gibt nur einen Wert, also keine Streuung.'],
  [/^There is one value, so there is no line\.$/, () => 'Es gibt nur einen Wert, also keine Gerade.'],
  [/^The values are too large for their spread to be computed\.$/, () => 'Die Werte sind zu groß, um ihre Streuung zu berechnen.'],
  [
    /^All values are equal, so capability and normality are not defined\.$/,
    () => 'Alle Werte sind gleich, also gibt es weder Fähigkeit noch Normalverteilung.',
  ],
  [
    /^All (\S+) equal values are (below|above) the tolerance: not capable\.$/,
    (count = '', side = '') => `Alle ${count} gleichen Werte liegen ${ORDER[side]} der Toleranz: nicht fähig.`,
  ],
  [/^Fewer than 8 values say nothing about normality\.$/, () => 'Weniger als 8 Werte sagen nichts über die Normalverteilung.'],
  [
    /^There are no values in the baseline, so there are no control limits\.$/,
    () => 'In der Zeit, aus der die Grenzen folgen, liegt kein Wert, also gibt es keine Eingriffsgrenzen.',
  ],
  [/^There are too few values for control limits\.$/, () => 'Für Eingriffsgrenzen sind es zu wenige Werte.'],
  [
    /^There are too few (?:values|samples) in the baseline for control limits\.$/,
    () => 'In der Zeit, aus der die Grenzen folgen, liegen zu wenige Werte für Eingriffsgrenzen.',
  ],
  [
    /^(\S+) of (\S+) subgroups are incomplete; their limits follow from the values that they have\.$/,
    (some = '', all = '') => `${some} von ${all} Stichproben sind unvollständig; ihre Grenzen folgen aus den Werten, die sie haben.`,
  ],
  [
    /^There are subgroups of (\S+) values, so standard deviations are judged in place of ranges\.$/,
    (count = '') => `Es gibt Stichproben von ${count} Werten; statt der Spannweiten werden die Standardabweichungen beurteilt.`,
  ],
  [
    /^There are (\S+) subgroups; more than (\S+) are not listed\.$/,
    (count = '', most = '') => `Es gibt ${count} Stichproben; mehr als ${most} werden nicht einzeln gezeigt.`,
  ],
  [
    /^Only the newest (\S+) values out of tolerance are listed\.$/,
    (most = '') => `Von den Werten außer Toleranz stehen hier nur die neuesten ${most}.`,
  ],
  [/^Only the newest (\S+) broken rules are listed\.$/, (most = '') => `Von den verletzten Regeln stehen hier nur die neuesten ${most}.`],
  [
    /^(\S+) values are few: below (\S+) the model is not chosen by them\.$/,
    (count = '', least = '') => `${count} Werte sind wenige: unter ${least} wird nach ihnen kein Modell gewählt.`,
  ],
  [
    /^The model is fitted to (\S+) of (\S+) values, drawn evenly\.$/,
    (some = '', all = '') => `Das Modell ist an ${some} von ${all} gleichmäßig gezogene Werte angepasst.`,
  ],
  [
    /^The gauge is too coarse: its step is larger than the standard deviation\.$/,
    () => 'Das Messmittel ist zu grob: sein Schritt ist größer als die Standardabweichung.',
  ],
  [
    /^No model fits these values: the indices are those of the nearest one\.$/,
    () => 'Kein Modell passt zu diesen Werten: die Indizes sind die des nächstliegenden.',
  ],
  [
    /^No model fits the values of (\S+) of (\S+) groups: their index is that of the nearest one\.$/,
    (some = '', all = '') => `Zu den Werten von ${some} der ${all} Gruppen passt kein Modell: ihr Index ist der des nächstliegenden.`,
  ],
  [
    /^The model changed from (.+) to (.+)\.$/,
    (before = '', after = '') => `Das Modell hat gewechselt: vorher ${modelName(before)}, jetzt ${modelName(after)}.`,
  ],
  [
    /^A value is beyond the natural boundary, so the normal model is used\.$/,
    () => 'Ein Wert liegt jenseits der natürlichen Grenze; darum gilt die Normalverteilung.',
  ],
  [
    /^There are natural boundaries on both sides, so the normal model is used\.$/,
    () => 'Auf beiden Seiten gibt es natürliche Grenzen; darum gilt die Normalverteilung.',
  ],
  [
    /^The (.+) model could not be fitted to these values, so the normal model is used\.$/,
    (name = '') => `Das Modell ${modelName(name)} ließ sich nicht an diese Werte anpassen; darum gilt die Normalverteilung.`,
  ],
  [
    /^The (.+) model needs a natural boundary\. The values choose another one\.$/,
    (name = '') => `Das Modell ${modelName(name)} braucht eine natürliche Grenze. Die Werte wählen ein anderes.`,
  ],
  [
    /^The chart (\S+) of the evaluation is one of (measured values|characteristics that count \(attribute 12004 is 1, 5 or 6\)); (\S+) is drawn\.$/,
    (chart = '', kind = '', drawn = '') =>
      `Die Karte ${chart} der Auswertung ist eine für ${kind === 'measured values' ? 'gemessene Werte' : 'zählende Merkmale'}; gezeichnet wird ${drawn}.`,
  ],
  [
    /^Measurements have no attribute (\S+), by which the evaluation makes subgroups; single values are charted\.$/,
    (key = '') => `Messungen haben kein Attribut ${key}, nach dem die Auswertung Stichproben bildet; gezeichnet werden Einzelwerte.`,
  ],
  [
    /^The characteristic counts, so it has a rate and no index of capability\.$/,
    () => 'Das Merkmal zählt; darum hat es eine Rate und keinen Fähigkeitsindex.',
  ],
  [
    /^The characteristic counts, so groups have a rate and no index\.$/,
    () => 'Das Merkmal zählt; darum haben Gruppen eine Rate und keinen Index.',
  ],
  [
    /^(1 sample is|\d+ samples are) left out: a count is a whole number from 0\.$/,
    (some = '') => `${samples(some)} ausgelassen: eine Anzahl ist eine ganze Zahl ab 0.`,
  ],
  [
    /^(1 sample is|\d+ samples are) left out: the size \(value attribute 20\) is a (whole number|number) above 0\.$/,
    (some = '', kind = '') =>
      `${samples(some)} ausgelassen: der Umfang (Attribut 20 des Werts) ist eine ${kind === 'number' ? '' : 'ganze '}Zahl über 0.`,
  ],
  [
    /^(1 sample is|\d+ samples are) left out: more parts are counted than the sample has \(value attribute 20\)\.$/,
    (some = '') => `${samples(some)} ausgelassen: es sind mehr Teile gezählt, als die Stichprobe hat (Attribut 20 des Werts).`,
  ],
  [
    /^(1 sample is|\d+ samples are) without a size \(value attribute 20\) and taken as one (part|unit)\.$/,
    (some = '', kind = '') =>
      `${samples(some)} ohne Umfang (Attribut 20 des Werts) und gilt als ${kind === 'part' ? 'ein Teil' : 'eine Einheit'}.`,
  ],
  [
    /^The sizes of the samples differ; the chart u takes them into account\.$/,
    () => 'Die Stichproben sind verschieden groß; die Karte u berücksichtigt das.',
  ],
  [
    /^The centre line that is given, (\S+), is no rate of a chart (\S+); its limits are computed\.$/,
    (line = '', chart = '') => `Die vorgegebene Mittellinie ${line} ist keine Rate einer Karte ${chart}; ihre Grenzen werden berechnet.`,
  ],
  [
    /^Limits of counts follow from the centre line that is given and from the sizes\.$/,
    () => 'Grenzen von Anzahlen folgen aus der vorgegebenen Mittellinie und den Umfängen.',
  ],
  [
    /^There are too few measurements in which both characteristics vary\.$/,
    () => 'Es gibt zu wenige Messungen, in denen beide Merkmale streuen.',
  ],
  [
    /^The characteristics belong to different parts, so no measurement has both\.$/,
    () => 'Die Merkmale gehören zu verschiedenen Teilen; keine Messung hat beide.',
  ],
];

/** Says a note of the server in German. @returns undefined for a sentence that this page does not know */
export function germanNote(note: string): string | undefined {
  for (const [sentence, say] of TRANSLATIONS) {
    const found = sentence.exec(note);
    if (found) return say(...found.slice(1));
  }
  return undefined;
}
