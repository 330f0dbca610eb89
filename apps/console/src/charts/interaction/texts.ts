import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: {
    cursorKeys:
      'Arrow keys move the cursor, Shift moves it by ten, N and P go to the next and previous marked point, plus and minus zoom, 0 shows all, Enter opens the measurement, X leaves the value out, M writes a note.',
  },
  de: {
    cursorKeys:
      'Pfeiltasten bewegen den Zeiger, mit Umschalt um zehn, N und P gehen zum nächsten und vorigen markierten Punkt, Plus und Minus zoomen, 0 zeigt alles, Eingabe öffnet die Messung, X schließt den Wert aus, M schreibt eine Notiz.',
  },
});
