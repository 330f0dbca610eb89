/** Key of the time at which the page was last loaded again. */
const RELOADED_AT = 'reloaded-at';
/** A file that is missing so soon after the page was loaded again is missing for another reason than an update, ms. */
const SOON_MS = 60_000;

/**
 * Loads the page again when a file of it is missing: an update removes the files of the older version, and the page names the new ones.
 * A file that stays missing becomes an error of the page.
 */
export function reloadAfterUpdate(storage: Pick<Storage, 'getItem' | 'setItem'>, reload: () => void, now = Date.now()): void {
  if (now - Number(storage.getItem(RELOADED_AT) ?? 0) < SOON_MS) return;
  storage.setItem(RELOADED_AT, String(now));
  reload();
}
