/**
 * Constants of control charts for subgroups of 2 to 25 values.
 *
 * d2, d3, A2, D3 and D4 are the printed tables (ASTM MNL 7; Montgomery, appendix VI), so that limits equal those of other programs,
 * which use the same three decimals.
 * c4 and what follows from it (A3, B3, B4) are computed.
 */
interface RangeConstants {
  readonly d2: number;
  readonly d3: number;
  readonly A2: number;
  readonly D3: number;
  readonly D4: number;
}

export const MAX_SUBGROUP_SIZE = 25;

/** Row i holds d2, d3, A2, D3 and D4 for subgroups of i + 2 values. */
const RANGE_TABLE: readonly (readonly [number, number, number, number, number])[] = [
  [1.128, 0.853, 1.88, 0, 3.267],
  [1.693, 0.888, 1.023, 0, 2.574],
  [2.059, 0.88, 0.729, 0, 2.282],
  [2.326, 0.864, 0.577, 0, 2.114],
  [2.534, 0.848, 0.483, 0, 2.004],
  [2.704, 0.833, 0.419, 0.076, 1.924],
  [2.847, 0.82, 0.373, 0.136, 1.864],
  [2.97, 0.808, 0.337, 0.184, 1.816],
  [3.078, 0.797, 0.308, 0.223, 1.777],
  [3.173, 0.787, 0.285, 0.256, 1.744],
  [3.258, 0.778, 0.266, 0.283, 1.717],
  [3.336, 0.77, 0.249, 0.307, 1.693],
  [3.407, 0.763, 0.235, 0.328, 1.672],
  [3.472, 0.756, 0.223, 0.347, 1.653],
  [3.532, 0.75, 0.212, 0.363, 1.637],
  [3.588, 0.744, 0.203, 0.378, 1.622],
  [3.64, 0.739, 0.194, 0.391, 1.608],
  [3.689, 0.734, 0.187, 0.403, 1.597],
  [3.735, 0.729, 0.18, 0.415, 1.585],
  [3.778, 0.724, 0.173, 0.425, 1.575],
  [3.819, 0.72, 0.167, 0.434, 1.566],
  [3.858, 0.716, 0.162, 0.443, 1.557],
  [3.895, 0.712, 0.157, 0.451, 1.548],
  [3.931, 0.708, 0.153, 0.459, 1.541],
];

/** @throws RangeError unless the size is a whole number from 2 to 25 */
export function rangeConstants(size: number): RangeConstants {
  const row = RANGE_TABLE[size - 2];
  if (!row) throw new RangeError(`There are no chart constants for subgroups of ${size} values.`);
  const [d2, d3, A2, D3, D4] = row;
  return { d2, d3, A2, D3, D4 };
}

/** c4(n) = √(2 / (n − 1)) · Γ(n / 2) / Γ((n − 1) / 2), for n of at least 2. */
export function c4(size: number): number {
  // Γ(n/2) / Γ((n−1)/2) grows by n/2 : (n−1)/2 with every two values; large sizes use the series, exact to 1e-12.
  if (size > 1000) {
    const n = size - 1;
    return 1 - 1 / (4 * n) + 1 / (32 * n * n) + 5 / (128 * n * n * n);
  }
  let ratio = size % 2 === 0 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2;
  for (let n = size % 2 === 0 ? 2 : 3; n < size; n += 2) ratio *= n / (n - 1);
  return Math.sqrt(2 / (size - 1)) * ratio;
}

interface DeviationConstants {
  readonly c4: number;
  readonly A3: number;
  readonly B3: number;
  readonly B4: number;
}

export function deviationConstants(size: number): DeviationConstants {
  const constant = c4(size);
  const spread = (3 * Math.sqrt(1 - constant * constant)) / constant;
  return { c4: constant, A3: 3 / (constant * Math.sqrt(size)), B3: Math.max(0, 1 - spread), B4: 1 + spread };
}
