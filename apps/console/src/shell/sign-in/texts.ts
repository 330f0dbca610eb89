import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: {
    title: 'Sign in to Sinebar',
    again: 'Sign in again',
    againReason: 'Your sign-in has expired, or the server no longer accepts it.',
    typedStays: 'What you have typed stays, and what you did last continues.',
    providerLeaves:
      'Single sign-on leaves this page and comes back to it: its forms and dialogs then offer what you have typed. Files that are not stored must be chosen again.',
    leave: 'Sign out and close the page',
    name: 'Name',
    password: 'Password',
    signIn: 'Sign in',
    byProvider: 'By single sign-on',
    refused: 'Name or password is wrong.',
    noRights: 'The server does not know you: your sign-in gives no rights here. Ask its administrator.',
    tooMany: (seconds: number) => `There were too many attempts. Try again in ${seconds} s.`,
    forgotten: 'The password stays in this window and is forgotten on reload.',
    unreachable: 'The server does not answer',
    unreachableReason: 'The page continues by itself as soon as it does.',
  },
  de: {
    title: 'Bei Sinebar anmelden',
    again: 'Erneut anmelden',
    againReason: 'Ihre Anmeldung ist abgelaufen, oder der Server nimmt sie nicht mehr an.',
    typedStays: 'Was Sie eingegeben haben, bleibt, und was Sie zuletzt getan haben, geht weiter.',
    providerLeaves:
      'Single Sign-on verlässt diese Seite und kehrt zu ihr zurück: Ihre Formulare und Dialoge bieten dann an, was eingegeben ist. Dateien, die nicht gespeichert sind, müssen noch einmal gewählt werden.',
    leave: 'Abmelden und die Seite schließen',
    name: 'Name',
    password: 'Passwort',
    signIn: 'Anmelden',
    byProvider: 'Mit Single Sign-on',
    refused: 'Name oder Passwort ist falsch.',
    noRights: 'Der Server kennt Sie nicht: Ihre Anmeldung gibt hier keine Rechte. Fragen Sie den Administrator.',
    tooMany: (seconds: number) => `Es gab zu viele Versuche. Versuchen Sie es in ${seconds} s erneut.`,
    forgotten: 'Das Passwort bleibt in diesem Fenster und wird beim Neuladen vergessen.',
    unreachable: 'Der Server antwortet nicht',
    unreachableReason: 'Die Seite macht von selbst weiter, sobald er antwortet.',
  },
});
