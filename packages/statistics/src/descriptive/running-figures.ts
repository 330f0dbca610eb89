/** Fields of a column, in the order in which they are stored; see {@link RunningFigures}. */
const FIELDS = 12;
/** The first fields of {@link RunningFigures.data}, which hold count, mean, standard deviation and the newest value. */
export const LEADING_FIELDS = 4;

/**
 * Figures of several columns of values that are added row by row, the newest row first.
 * Mean and squares follow Welford, their merge follows Chan, Golub and LeVeque; moving ranges are those of `movingRanges`.
 * The mean is kept in two doubles: values that differ little beside their size would otherwise lose the digits of their spread.
 */
export class RunningFigures {
  readonly columns: number;
  /** All fields, in the order of the members below, one after the other, each with one number per column. */
  readonly data: Float64Array;
  /** Values with a number. */
  readonly count: Float64Array;
  readonly mean: Float64Array;
  /** Σ(x − mean)². */
  readonly squares: Float64Array;
  /** The newest value with a number, its time in milliseconds since 1970, and the id of its measurement. */
  readonly lastValue: Float64Array;
  readonly lastTime: Float64Array;
  readonly lastId: Float64Array;
  /** Values without a number. */
  readonly missing: Float64Array;
  /** Sum and number of the moving ranges. */
  readonly rangeSum: Float64Array;
  readonly rangeCount: Float64Array;
  /** The first and the last value that was added, NaN for one without a number. */
  private readonly newest: Float64Array;
  private readonly oldest: Float64Array;
  /** What rounding leaves out of the mean. */
  private readonly meanRest: Float64Array;

  /** @param data `data` of other figures of as many columns */
  constructor(columns: number, data: Float64Array = new Float64Array(columns * FIELDS)) {
    if (data.length !== columns * FIELDS) throw new RangeError(`${columns} columns do not have ${data.length} numbers.`);
    this.columns = columns;
    this.data = data;
    const field = (index: number) => data.subarray(index * columns, (index + 1) * columns);
    this.count = field(0);
    this.mean = field(1);
    this.squares = field(2);
    this.lastValue = field(3);
    this.lastTime = field(4);
    this.lastId = field(5);
    this.missing = field(6);
    this.rangeSum = field(7);
    this.rangeCount = field(8);
    this.newest = field(9);
    this.oldest = field(10);
    this.meanRest = field(11);
  }

  /** Adds the value of a row that is older than those before; NaN is a missing value. */
  add(column: number, value: number, time: number, id: number): void {
    const before = this.count[column]!;
    if (before + this.missing[column]! === 0) this.newest[column] = value;
    else this.addRange(column, Math.abs(value - this.oldest[column]!));
    this.oldest[column] = value;
    if (Number.isNaN(value)) {
      this.missing[column]! += 1;
      return;
    }
    if (before === 0) {
      this.lastValue[column] = value;
      this.lastTime[column] = time;
      this.lastId[column] = id;
    }
    const count = before + 1;
    this.count[column] = count;
    const mean = this.mean[column]!;
    const rest = this.meanRest[column]!;
    const difference = value - mean - rest;
    // Each term is divided first where the difference exceeds a double.
    this.moveMean(column, Number.isFinite(difference) ? difference / count : value / count - mean / count);
    this.squares[column]! += difference * (value - this.mean[column]! - this.meanRest[column]!);
  }

  /** Adds the figures of older rows. @param other of the same columns */
  addOlder(other: RunningFigures): void {
    for (let column = 0; column < this.columns; column += 1) this.addOlderColumn(column, other, column);
  }

  /** Adds the figures of one column of older rows. */
  addOlderColumn(column: number, other: RunningFigures, from: number): void {
    const added = other.count[from]!;
    if (added + other.missing[from]! === 0) return;
    const count = this.count[column]!;
    if (count + this.missing[column]! === 0) this.newest[column] = other.newest[from]!;
    else this.addRange(column, Math.abs(this.oldest[column]! - other.newest[from]!));
    this.oldest[column] = other.oldest[from]!;
    this.missing[column]! += other.missing[from]!;
    this.rangeSum[column]! += other.rangeSum[from]!;
    this.rangeCount[column]! += other.rangeCount[from]!;
    if (added === 0) return;
    if (count === 0) {
      this.lastValue[column] = other.lastValue[from]!;
      this.lastTime[column] = other.lastTime[from]!;
      this.lastId[column] = other.lastId[from]!;
      this.mean[column] = other.mean[from]!;
      this.meanRest[column] = other.meanRest[from]!;
      this.squares[column] = other.squares[from]!;
    } else {
      const total = count + added;
      const mean = this.mean[column]!;
      const difference = other.mean[from]! - mean + (other.meanRest[from]! - this.meanRest[column]!);
      const move = difference * (added / total);
      this.moveMean(column, Number.isFinite(move) ? move : other.mean[from]! * (added / total) - mean * (added / total));
      this.squares[column]! += other.squares[from]! + difference * difference * ((count * added) / total);
    }
    this.count[column] = count + added;
  }

  /** √(squares / (count − 1)); undefined for fewer than two values and where it exceeds a double. */
  standardDeviation(column: number): number | undefined {
    const count = this.count[column]!;
    if (count < 2) return undefined;
    const deviation = Math.sqrt(this.squares[column]! / (count - 1));
    return Number.isFinite(deviation) ? deviation : undefined;
  }

  /** The mean moving range; undefined without two neighbours and where it exceeds a double. */
  meanRange(column: number): number | undefined {
    const count = this.rangeCount[column]!;
    const range = this.rangeSum[column]! / count;
    return count > 0 && Number.isFinite(range) ? range : undefined;
  }

  private moveMean(column: number, move: number): void {
    const mean = this.mean[column]!;
    const sum = this.meanRest[column]! + move;
    const next = mean + sum;
    this.mean[column] = next;
    // What the sum of both leaves out, whichever is the larger one (Knuth).
    const shifted = next - mean;
    this.meanRest[column] = mean - (next - shifted) + (sum - shifted);
  }

  private addRange(column: number, range: number): void {
    // Not finite next to a missing value.
    if (!Number.isFinite(range)) return;
    this.rangeSum[column]! += range;
    this.rangeCount[column]! += 1;
  }
}
