const FIRST_CAPACITY = 4096;
const GROWTH = 8;
const MAX_GROWTH = 2 ** 22;

/**
 * A growing list of numbers. It grows by much, because copying is expensive and memory that is not written costs nothing:
 * the operating system provides it at the first write.
 */
export class NumberList {
  private numbers = new Float64Array(FIRST_CAPACITY);
  length = 0;

  push(value: number): void {
    if (this.length === this.numbers.length) this.grow();
    this.numbers[this.length] = value;
    this.length += 1;
  }

  /** Takes the numbers out, the last one first. */
  takeReversed(): Float64Array {
    const numbers = this.numbers.subarray(0, this.length).reverse();
    this.numbers = new Float64Array(FIRST_CAPACITY);
    this.length = 0;
    return numbers;
  }

  private grow(): void {
    const { length } = this.numbers;
    const larger = new Float64Array(Math.min(length * GROWTH, length + MAX_GROWTH));
    larger.set(this.numbers);
    this.numbers = larger;
  }
}
