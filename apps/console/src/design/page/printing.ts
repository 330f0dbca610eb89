/** Longest time for which printing waits for what is read, ms. */
const MAX_WAIT_MS = 30_000;

/** Comes before the page is printed by its own menu or key, so that tables read the rows that the paper shows. */
export class PreparePrintEvent extends Event {
  static readonly type = 'sinebar:prepare-print';
  readonly waiting: Promise<void>[] = [];

  constructor() {
    super(PreparePrintEvent.type);
  }
}

/** Prints the page once its tables have read the rows that the paper shows; the menu of the browser prints at once. */
export async function printPage(): Promise<void> {
  const event = new PreparePrintEvent();
  dispatchEvent(event);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([Promise.all(event.waiting), isLate]);
  clearTimeout(timer);
  window.print();
}
