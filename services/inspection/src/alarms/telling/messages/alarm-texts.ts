import { defineTexts, textsIn, type Language } from '@sinebar/charts';

const STATUS_TEXTS = {
  en: { capable: 'capable', uncertain: 'uncertain', notStable: 'not stable', notCapable: 'not capable' },
  de: { capable: 'fähig', uncertain: 'unsicher', notStable: 'nicht stabil', notCapable: 'nicht fähig' },
} as const;

const texts = defineTexts({
  en: {
    above: 'above the upper tolerance limit',
    below: 'below the lower tolerance limit',
    tolerance: 'out of tolerance',
    plausibility: 'beyond the plausibility limits',
    rule: (meaning: string) => `breaks a rule of its chart: ${meaning}`,
    variation: 'in the chart of the variation',
    process: (before: string, after: string) => `the process was ${before} and is ${after}`,
    processAfter: (after: string) => `the process is ${after}`,
    silence: 'nothing is measured any more',
    one: (name: string, what: string) => `Alarm: ${name}: ${what}`,
    many: (count: string, name: string) => `${count} alarms, the newest: ${name}`,
    escalated: (subject: string) => `Not acknowledged: ${subject}`,
    testSubject: 'Test message about alarms',
    test: 'This is a test: messages about alarms arrive here.',
    part: 'Part',
    value: 'Value',
    limits: 'Limits',
    since: 'Since',
    points: 'Points',
    owner: 'Owner',
    reaction: 'What to do',
    state: 'State',
    closed: 'closed by itself: the points behind it are fine',
    chart: 'Open the chart',
    further: (count: string) => `${count} further alarms are not described here.`,
    inbox: 'Open all alarms',
    picture: (name: string) => `The newest values of ${name}`,
    why: (path: string) => `You receive this because of a subscription of alarms below ${path}.`,
    change: 'Change or end the subscription',
  },
  de: {
    above: 'über der oberen Toleranzgrenze',
    below: 'unter der unteren Toleranzgrenze',
    tolerance: 'außerhalb der Toleranz',
    plausibility: 'außerhalb der Plausibilitätsgrenzen',
    rule: (meaning) => `verletzt eine Regel der Regelkarte: ${meaning}`,
    variation: 'in der Karte der Streuung',
    process: (before, after) => `der Prozess war ${before} und ist ${after}`,
    processAfter: (after) => `der Prozess ist ${after}`,
    silence: 'es wird nichts mehr gemessen',
    one: (name, what) => `Alarm: ${name}: ${what}`,
    many: (count, name) => `${count} Alarme, der neueste: ${name}`,
    escalated: (subject) => `Nicht quittiert: ${subject}`,
    testSubject: 'Testnachricht zu Alarmen',
    test: 'Dies ist ein Test: Nachrichten über Alarme kommen hier an.',
    part: 'Teil',
    value: 'Wert',
    limits: 'Grenzen',
    since: 'Seit',
    points: 'Punkte',
    owner: 'Zuständig',
    reaction: 'Was zu tun ist',
    state: 'Zustand',
    closed: 'von selbst geschlossen: die Punkte danach sind in Ordnung',
    chart: 'Karte öffnen',
    further: (count) => `${count} weitere Alarme sind hier nicht beschrieben.`,
    inbox: 'Alle Alarme öffnen',
    picture: (name) => `Die neuesten Werte von ${name}`,
    why: (path) => `Sie erhalten dies durch ein Abonnement von Alarmen unterhalb von ${path}.`,
    change: 'Abonnement ändern oder beenden',
  },
});

export type MessageTexts = (typeof texts)['en'];

export function messageTexts(language: Language): MessageTexts {
  return textsIn(texts, language);
}

/** Names the status of a process; one that is not known stays as it is. */
export function statusText(language: Language, status: string): string {
  return Object.hasOwn(STATUS_TEXTS[language], status) ? STATUS_TEXTS[language][status as keyof (typeof STATUS_TEXTS)['en']] : status;
}
