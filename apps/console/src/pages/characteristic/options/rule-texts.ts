import { defineTexts } from '../../../design/language/language';

/** What each pattern of a run rule means, by the number of points that it looks at. */
export const texts = defineTexts({
  en: {
    beyondLimits: (_length: string, _most: string) => 'a point beyond a control limit (3σ)',
    oneSide: (length: string, _most: string) => `${length} points in a row on one side of the centre line`,
    steady: (length: string, _most: string) => `${length} points in a row that all rise or all fall`,
    alternating: (length: string, _most: string) => `${length} points in a row that go up and down in turn`,
    mostBeyond2: (length: string, most: string) => `${most} of ${length} points beyond 2σ on the same side`,
    mostBeyond1: (length: string, most: string) => `${most} of ${length} points beyond 1σ on the same side`,
    within1: (length: string, _most: string) => `${length} points in a row within 1σ of the centre line`,
    outside1: (length: string, _most: string) => `${length} points in a row beyond 1σ, on either side`,
  },
  de: {
    beyondLimits: (_length: string, _most: string) => 'ein Punkt außerhalb der Eingriffsgrenzen (3σ)',
    oneSide: (length: string, _most: string) => `${length} Punkte in Folge auf einer Seite der Mittellinie`,
    steady: (length: string, _most: string) => `${length} Punkte in Folge steigend oder fallend`,
    alternating: (length: string, _most: string) => `${length} Punkte in Folge abwechselnd auf und ab`,
    mostBeyond2: (length: string, most: string) => `${most} von ${length} Punkten jenseits 2σ auf derselben Seite`,
    mostBeyond1: (length: string, most: string) => `${most} von ${length} Punkten jenseits 1σ auf derselben Seite`,
    within1: (length: string, _most: string) => `${length} Punkte in Folge innerhalb 1σ um die Mittellinie`,
    outside1: (length: string, _most: string) => `${length} Punkte in Folge jenseits 1σ, auf beiden Seiten`,
  },
});
