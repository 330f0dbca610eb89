/** Keys of the attributes of characteristics that limits and figures follow from. spec: decisions.md 5.4 */
export const CHARACTERISTIC_KEYS = {
  decimalPlaces: 2022,
  target: 2100,
  nominal: 2101,
  lowerTolerance: 2110,
  upperTolerance: 2111,
  lowerDeviation: 2112,
  upperDeviation: 2113,
  lowerLimitKind: 2120,
  upperLimitKind: 2121,
  unit: 2142,
  lowerWarning: 8014,
  upperWarning: 8015,
} as const;

/** Attribute of the entries of the catalog of causes (K4391 of AQDEF). */
export const CAUSE_ATTRIBUTE = 4391;

/** Attribute of the entries of the catalog of actions, which no field of AQDEF is for: the key behind that of the causes. */
export const ACTION_ATTRIBUTE = 4392;
