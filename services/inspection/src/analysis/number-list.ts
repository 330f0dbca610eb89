const SEGMENT_LENGTH = 65_536;

/** A growing list of numbers. It grows in segments, because doubling one array needs three times the memory. */
export class NumberList {
  private segments: Float64Array[] = [];
  length = 0;

  push(value: number): void {
    const place = this.length % SEGMENT_LENGTH;
    if (place === 0) this.segments.push(new Float64Array(SEGMENT_LENGTH));
    this.segments[this.segments.length - 1]![place] = value;
    this.length += 1;
  }

  /** Takes the numbers out, the last one first. */
  takeReversed(): Float64Array {
    const { length } = this;
    const numbers = new Float64Array(length);
    let at = length;
    for (const segment of this.segments.splice(0)) {
      const used = Math.min(segment.length, at);
      for (let i = 0; i < used; i += 1) numbers[--at] = segment[i]!;
    }
    this.length = 0;
    return numbers;
  }
}
