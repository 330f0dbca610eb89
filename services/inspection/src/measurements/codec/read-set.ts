/** The characteristics of a set, by position; those that are deleted or not asked for are `undefined`. */
export interface ReadSet {
  positions: readonly (ReadCharacteristic | undefined)[];
}

export interface ReadCharacteristic {
  id: number;
  uuid: string;
  /** ASCII prefix of each value in an answer that shows the measured value alone. */
  prefix: Uint8Array;
  lowerTolerance: number;
  upperTolerance: number;
  lowerWarning: number;
  upperWarning: number;
}
