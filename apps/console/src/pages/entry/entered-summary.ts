import type { WrittenMeasurementWithValues } from '@sinebar/client';
import { sizeField } from './entered-texts';
import { judge, type MeasuredCharacteristic, type ValueProblem } from './measured-characteristic';

/** A value that cannot be saved. */
export interface WrongValue {
  uuid: string;
  name: string;
  problem: ValueProblem;
  /** What was entered. */
  text: string;
}

/** All that was entered, together. */
export interface EnteredSummary {
  filled: number;
  outOfTolerance: number;
  wrong: readonly WrongValue[];
  /** Value attributes by uuid of their characteristic, without the wrong ones. */
  written: WrittenMeasurementWithValues['characteristics'];
}

/** Judges all entered values. */
export function summarize(characteristics: readonly MeasuredCharacteristic[], entered: ReadonlyMap<string, string>): EnteredSummary {
  const written: Record<string, Readonly<Record<number, string>>> = {};
  const wrong: WrongValue[] = [];
  let outOfTolerance = 0;
  for (const characteristic of characteristics) {
    const { uuid, name } = characteristic;
    const text = entered.get(uuid) ?? '';
    if (text === '') continue;
    const size = entered.get(sizeField(uuid)) ?? '';
    const judged = judge(characteristic, text, size);
    if (judged.problem !== undefined) wrong.push({ uuid, name, problem: judged.problem, text: judged.problem === 'noSize' ? size : text });
    if (judged.written !== undefined) written[uuid] = judged.written;
    if (judged.status === 'belowTolerance' || judged.status === 'aboveTolerance') outOfTolerance += 1;
  }
  return { filled: Object.keys(written).length, outOfTolerance, wrong, written };
}
