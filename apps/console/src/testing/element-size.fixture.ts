/** Gives every element of a file of tests a width, which jsdom does not compute. */
export function withElementWidth(width: number): void {
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => width });
}
