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

/** Pause between two attempts to load a file of the page while its server is lost, ms. */
const PAUSE_MS = 2_000;

/** Whether the server of the page answers; a proxy before a lost one answers with 502 to 504. */
export async function isReachable(): Promise<boolean> {
  try {
    // The server gives its pages only to those that ask for text/html, as browsers do.
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store', headers: { Accept: 'text/html' } })).status < 500;
  } catch {
    return false;
  }
}

/**
 * Loads a file of the page; while the server is lost it waits, so that the page that is open stays.
 * @throws the error of a file that is missing although the server answered before and after the attempt
 */
export async function loadWhenReachable<T>(load: () => Promise<T>, isThere = isReachable, pauseMs = PAUSE_MS): Promise<T> {
  let isBack = false;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      const wasBack = isBack;
      isBack = await isThere();
      if (wasBack && isBack) throw error;
      if (!isBack) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
