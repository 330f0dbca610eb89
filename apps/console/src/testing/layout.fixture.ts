/** Height and width that every element of a test has, px: jsdom lays nothing out. */
const HEIGHT = 600;
const WIDTH = 1152;

/** Gives the elements of a file of tests a size, so that lists draw the rows that a window would show. */
export function layOut(): void {
  Object.defineProperties(Element.prototype, {
    clientHeight: { configurable: true, get: () => HEIGHT },
    clientWidth: { configurable: true, get: () => WIDTH },
    scrollTo: { configurable: true, value: () => undefined },
  });
}
