/** A part of the benchmark with its characteristics. */
export interface MeasuredPart {
  uuid: string;
  characteristics: readonly string[];
}
