const GOLDEN = (3 - Math.sqrt(5)) / 2;

/**
 * Finds a maximum between two points by parabolas and golden sections (Brent 1973).
 * @param tolerance of the position
 */
export function maximize(
  objective: (x: number) => number,
  [lower, upper]: readonly [number, number],
  tolerance: number,
  maxSteps = 60,
): { at: number; value: number } {
  let [a, b] = [lower, upper];
  let best = a + GOLDEN * (b - a);
  let second = best;
  let third = best;
  let bestValue = objective(best);
  let secondValue = bestValue;
  let thirdValue = bestValue;
  let move = 0;
  let lastMove = 0;
  for (let step = 0; step < maxSteps; step++) {
    const middle = (a + b) / 2;
    if (Math.abs(best - middle) <= 2 * tolerance - (b - a) / 2) break;
    let golden = true;
    if (Math.abs(lastMove) > tolerance) {
      const r = (best - second) * (thirdValue - bestValue);
      let q = (best - third) * (secondValue - bestValue);
      let p = (best - third) * q - (best - second) * r;
      q = 2 * (q - r);
      if (q > 0) p = -p;
      q = Math.abs(q);
      const before = lastMove;
      lastMove = move;
      if (Math.abs(p) < Math.abs((q * before) / 2) && p > q * (a - best) && p < q * (b - best)) {
        move = p / q;
        golden = false;
        const next = best + move;
        if (next - a < 2 * tolerance || b - next < 2 * tolerance) move = best < middle ? tolerance : -tolerance;
      }
    }
    if (golden) {
      lastMove = best < middle ? b - best : a - best;
      move = GOLDEN * lastMove;
    }
    const next = best + (Math.abs(move) >= tolerance ? move : move > 0 ? tolerance : -tolerance);
    const value = objective(next);
    if (value >= bestValue) {
      if (next < best) b = best;
      else a = best;
      [third, thirdValue, second, secondValue, best, bestValue] = [second, secondValue, best, bestValue, next, value];
    } else {
      if (next < best) a = next;
      else b = next;
      if (value >= secondValue || second === best) [third, thirdValue, second, secondValue] = [second, secondValue, next, value];
      else if (value >= thirdValue || third === best || third === second) [third, thirdValue] = [next, value];
    }
  }
  return { at: best, value: bestValue };
}

/**
 * Finds a zero of a function whose signs differ at both ends, by secants that stay in the bracket (the Illinois method).
 * @returns the end nearest to the zero when the signs do not differ
 */
export function findZero(
  f: (x: number) => number,
  [lower, upper]: readonly [number, number],
  relativeTolerance = 1e-13,
  maxSteps = 200,
): number {
  let [a, b] = [lower, upper];
  let [fa, fb] = [f(a), f(b)];
  if (fa === 0) return a;
  if (fb === 0) return b;
  if (fa > 0 === fb > 0) return Math.abs(fa) < Math.abs(fb) ? a : b;
  for (let step = 0; step < maxSteps; step++) {
    // A bisection now and then bounds the steps that a flat function needs.
    const x = step % 8 === 7 ? (a + b) / 2 : b - (fb * (b - a)) / (fb - fa);
    const next = x > Math.min(a, b) && x < Math.max(a, b) ? x : (a + b) / 2;
    const fx = f(next);
    const tolerance = relativeTolerance * Math.max(Math.abs(a), Math.abs(b));
    if (fx === 0 || Math.abs(b - a) <= tolerance || Math.abs(next - b) <= tolerance / 4) return next;
    if (fx > 0 !== fb > 0) [a, fa] = [b, fb];
    else fa /= 2;
    [b, fb] = [next, fx];
  }
  return b;
}
