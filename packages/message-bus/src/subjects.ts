/** A subject without wildcards, as both buses accept it. */
const SUBJECT = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/** @throws TypeError unless `subject` is dot-separated words of letters, digits, `_` and `-`. */
export function checkSubject(subject: string): void {
  if (!SUBJECT.test(subject))
    throw new TypeError(`not a subject: "${subject}"; use words of letters, digits, _ and - with dots between them`);
}
