import { defineTexts } from '../../../design/language/language';

export const texts = defineTexts({
  en: {
    title: 'Wall screen',
    fullScreen: 'Full screen',
    stopTurning: 'Stop turning',
    turn: 'Turn again',
    next: 'Next screen',
    position: (shown: number, all: number) => `Screen ${shown} of ${all}`,
    asOf: (time: string) => `As of ${time}`,
    lostSince: (time: string) => `No connection to the server since ${time}. What stands here is from before.`,
    now: 'Now',
    process: 'Process',
  },
  de: {
    title: 'Wandanzeige',
    fullScreen: 'Ganzer Bildschirm',
    stopTurning: 'Wechsel anhalten',
    turn: 'Wieder wechseln',
    next: 'Nächste Anzeige',
    position: (shown: number, all: number) => `Anzeige ${shown} von ${all}`,
    asOf: (time: string) => `Stand ${time}`,
    lostSince: (time: string) => `Keine Verbindung zum Server seit ${time}. Was hier steht, ist von vorher.`,
    now: 'Jetzt',
    process: 'Prozess',
  },
});
