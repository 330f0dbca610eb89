/** Names of the checks of a server; hosts of other services stay as they are. */
const NAMES: Readonly<Record<string, string>> = {
  'inspection database': 'Datenbank der Prüfdaten',
  'raw-data database': 'Datenbank der Dateien',
  'message bus': 'Nachrichtenbus',
  'inspection outbox': 'Ausgang der Prüfdaten',
  'raw-data outbox': 'Ausgang der Dateien',
  'file store': 'Ablage der Dateien',
  'part mirror': 'Abbild der Teile',
  'event stream': 'Ereignisstrom',
  'event clients': 'Empfänger von Ereignissen',
  'embedded PostgreSQL': 'Eingebautes PostgreSQL',
  authentication: 'Anmeldung',
  'sign-in provider': 'Anbieter der Anmeldung',
  process: 'Prozess',
  checks: 'Prüfungen',
};

/** A reason of the server, and the same in German. */
type Translation = readonly [reason: RegExp, say: (...found: string[]) => string];

const NUMBER = new Intl.NumberFormat('de');
const count = (figure = '') => NUMBER.format(Number(figure));

const REASONS: readonly Translation[] = [
  [/^answers$/, () => 'antwortet'],
  [/^answers (\d+)$/, (status = '') => `antwortet mit ${status}`],
  [/^does not answer within (\d+) ms$/, (ms) => `antwortet nicht innerhalb von ${count(ms)} ms`],
  [/^does not answer \((.+)\)$/, (error = '') => `antwortet nicht (${error})`],
  [/^not done after (\d+) ms$/, (ms) => `nach ${count(ms)} ms nicht fertig`],
  [/^failed$/, () => 'fehlgeschlagen'],
  [/^is starting$/, () => 'startet'],
  [/^is stopping$/, () => 'hält an'],
  [/^published from here$/, () => 'wird von hier veröffentlicht'],
  [/^published by another process$/, () => 'wird von einem anderen Prozess veröffentlicht'],
  [/^nothing waits$/, () => 'nichts wartet'],
  [/^(\d+) waiting, the oldest for (\d+) s$/, (some, seconds) => `${count(some)} warten, davon eines seit ${count(seconds)} s`],
  [/^Messages are exchanged inside this process\.$/, () => 'Nachrichten werden in diesem Prozess ausgetauscht.'],
  [/^The message bus is closed\.$/, () => 'Der Nachrichtenbus ist geschlossen.'],
  [/^Connected to (.+), stream (.+)\.$/, (broker = '', stream = '') => `Verbunden mit ${broker}, Strom ${stream}.`],
  [
    /^Connected to (.+), but the event stream is not available\. \((.*)\)$/,
    (broker = '', trouble = '') => `Verbunden mit ${broker}, aber der Ereignisstrom fehlt. (${trouble})`,
  ],
  [/^the bucket for files answers$/, () => 'der Bucket für Dateien antwortet'],
  [/^there is no bucket (.+)$/, (bucket = '') => `es gibt keinen Bucket ${bucket}`],
  [/^the store for files does not answer \((.+)\)$/, (error = '') => `die Ablage der Dateien antwortet nicht (${error})`],
  [/^the folder for files can be written$/, () => 'in den Ordner der Dateien kann geschrieben werden'],
  [
    /^the folder for files cannot be written \((.+)\)$/,
    (error = '') => `in den Ordner der Dateien kann nicht geschrieben werden (${error})`,
  ],
  [/^the parts have not been read from the inspection service yet$/, () => 'die Teile sind noch nicht vom Dienst der Prüfdaten gelesen'],
  [
    /^cannot see the event stream; was at its end (\d+) ms ago$/,
    (ms) => `sieht den Ereignisstrom nicht; war vor ${count(ms)} ms an dessen Ende`,
  ],
  [/^follows the event stream$/, () => 'folgt dem Ereignisstrom'],
  [/^is (\d+) ms behind the event stream$/, (ms) => `ist ${count(ms)} ms hinter dem Ereignisstrom`],
  [/^the subscription is (.+)$/, (state = '') => `das Abonnement ist im Zustand ${state}`],
  [/^stopped behind message (\d+)$/, (message) => `hinter Nachricht ${count(message)} stehen geblieben`],
  [
    /^followed up to message (\d+), (\d+) behind$/,
    (message, behind) => `bis Nachricht ${count(message)} gefolgt, ${count(behind)} im Rückstand`,
  ],
  [/^the state of the stream cannot be read$/, () => 'der Zustand des Stroms lässt sich nicht lesen'],
  [/^(\d+) connected, (\d+) of them catching up$/, (some, late) => `${count(some)} verbunden, davon ${count(late)} beim Nachholen`],
  [
    /^PostgreSQL (.+) runs as process (\d+) on (.+)$/,
    (version = '', pid = '', at = '') => `PostgreSQL ${version} läuft als Prozess ${pid} auf ${at}`,
  ],
  [
    /^PostgreSQL ended by itself and is being started again \(attempt (\d+)\); log: (.+)$/,
    (attempt = '', log = '') => `PostgreSQL hat von selbst geendet und wird wieder gestartet (Versuch ${attempt}); Protokoll: ${log}`,
  ],
  [/^PostgreSQL could not be started again: (.+)$/, (problem = '') => `PostgreSQL ließ sich nicht wieder starten: ${problem}`],
  [/^PostgreSQL is stopped$/, () => 'PostgreSQL ist angehalten'],
  [/^none; only this computer can connect$/, () => 'keine; nur dieser Rechner kann sich verbinden'],
  [
    /^none; whoever reaches this address can read and change everything$/,
    () => 'keine; wer diese Adresse erreicht, kann alles lesen und ändern',
  ],
  [/^(.+); access policy (.+) is in force$/, (mode = '', version = '') => `${mode}; Zugriffsregeln ${version} gelten`],
  [
    /^(.+); access policy (.+) stays in force, because its file cannot be read \((.+)\)$/,
    (mode = '', version = '', error = '') =>
      `${mode}; Zugriffsregeln ${version} gelten weiter, denn ihre Datei lässt sich nicht lesen (${error})`,
  ],
  [
    /^(.+); access policy (.+) stays in force, because its file was changed and cannot be used \(see the log\)$/,
    (mode = '', version = '') =>
      `${mode}; Zugriffsregeln ${version} gelten weiter, denn ihre Datei wurde geändert und ist nicht brauchbar (siehe Protokoll)`,
  ],
  [/^no problem$/, () => 'kein Problem'],
  [/^could not be asked the last time \(see the log\)$/, () => 'ließ sich zuletzt nicht fragen (siehe Protokoll)'],
];

/** Says the name of a check in German. @returns undefined for a name that this page does not know */
export function germanCheckName(name: string): string | undefined {
  return NAMES[name];
}

/** Says the reason of a check in German. @returns undefined for a reason that this page does not know */
export function germanReason(reason: string): string | undefined {
  for (const [known, say] of REASONS) {
    const found = known.exec(reason);
    if (found) return say(...found.slice(1));
  }
  // An outbox joins several reasons.
  const [first = '', ...others] = reason.split('; ');
  const said = others.length > 0 ? [germanReason(first), ...others.map((other) => germanReason(other) ?? other)] : [];
  return said[0] === undefined ? undefined : said.join('; ');
}
