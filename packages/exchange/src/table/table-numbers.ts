import type { TableForms } from '../content.ts';
import { cleaned } from '../texts.ts';
import { readNumberText } from '../number-text.ts';
import { shown } from '../problems.ts';
import { splitUnit } from './units.ts';

/** Most cells: they hold digits and at most one point. */
const USUAL = /^-?\d{1,15}(?:\.\d{1,20})?$/;
/** Texts that programs write where there is no value. */
const MISSING = /^(?:n\/?a|<na>|nan|null|-+|\*|#n\/a)$/i;
/** Whether a cell has a text of programs for a value that is not there. */
export function isMissing(text: string): boolean {
  return MISSING.test(text);
}

/** A point, or comma, that may also be a thousands separator. */
const MAYBE_POINT = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const MAYBE_COMMA = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const GROUPED_BY_BLANKS = /^[+-]?\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/;
const GROUPED_BY_POINTS = /^[+-]?\d{1,3}(?:\.\d{3})+,\d*$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const GROUPED_BY_COMMAS = /^[+-]?\d{1,3}(?:,\d{3})+\.\d*$|^[+-]?\d{1,3}(?:,\d{3}){2,}$/;

export interface NumberSettings {
  /** The decimal separator that the mapping names. */
  decimal: ',' | '.' | undefined;
  /** Whether commas separate the fields of the file. */
  isCommaSeparated: boolean;
  /** What the table was found to hold when it was read before. */
  forms: TableForms;
}

/** Reads the numbers of a table as people and programs write them. */
export class TableNumbers {
  /** Unit behind the number that was read last; empty when there is none. */
  unit = '';
  /** Says why the text that was read last is no number. */
  problem = '';
  private readonly settings: NumberSettings;
  private readonly found: { hasDecimalCommas: boolean; hasCommaGroups: boolean };
  private hasMaybePoint = false;
  private hasMaybeComma = false;

  constructor(settings: NumberSettings) {
    this.settings = settings;
    const { hasDecimalCommas = false, hasCommaGroups = false } = settings.forms;
    this.found = { hasDecimalCommas, hasCommaGroups };
  }

  /** @returns the number with a decimal point; empty when the cell holds no value; `undefined` when it is refused for {@link problem} */
  read(written: string): string | undefined {
    this.unit = '';
    if (USUAL.test(written) && this.settings.decimal !== ',') {
      if (this.settings.decimal === '.' || !MAYBE_POINT.test(written)) return written;
      if (!this.found.hasDecimalCommas) {
        this.hasMaybePoint = true;
        return written;
      }
    }
    const text = cleaned(written).replace('\u2212', '-');
    if (text.length === 0 || MISSING.test(text)) return '';
    this.problem = '';
    let number = this.withPoint(text);
    if (number === undefined && this.problem.length === 0) {
      const parts = splitUnit(text);
      if (parts) {
        number = this.withPoint(parts.number);
        this.unit = parts.unit;
      }
    }
    if (number !== undefined || this.problem.length > 0) return number;
    this.problem = `${shown(written)} is no number. Write a value such as 20.012, or leave the field empty where there is none.`;
    return undefined;
  }

  /** What makes numbers that were read before ambiguous; `undefined` when all were read right. */
  get changedForms(): TableForms | undefined {
    const { settings, found } = this;
    const isChanged =
      (this.hasMaybePoint && found.hasDecimalCommas && settings.forms.hasDecimalCommas !== true) ||
      (this.hasMaybeComma && found.hasCommaGroups && settings.forms.hasCommaGroups !== true);
    return isChanged ? found : undefined;
  }

  private withPoint(text: string): string | undefined {
    const { decimal, isCommaSeparated } = this.settings;
    if (GROUPED_BY_BLANKS.test(text)) return this.withPoint(text.replace(/[ '’\u00a0\u2009\u202f]/g, ''));
    if (GROUPED_BY_POINTS.test(text)) {
      this.found.hasDecimalCommas = true;
      return decimal === '.' ? undefined : readNumberText(text.replaceAll('.', ''));
    }
    if (GROUPED_BY_COMMAS.test(text)) {
      this.found.hasCommaGroups = true;
      return decimal === ',' ? undefined : readNumberText(text.replaceAll(',', ''));
    }
    if (MAYBE_POINT.test(text)) {
      if (decimal === ',') return text.replace('.', '');
      this.hasMaybePoint = true;
      return decimal === undefined && this.found.hasDecimalCommas ? this.ambiguous(text) : text;
    }
    if (MAYBE_COMMA.test(text)) {
      if (decimal === '.') return text.replace(',', '');
      this.hasMaybeComma = true;
      if (decimal === undefined && (isCommaSeparated || this.found.hasCommaGroups)) return this.ambiguous(text);
    }
    if (text.includes(',')) {
      if (decimal === '.') return undefined;
      this.found.hasDecimalCommas = true;
    } else if (decimal === ',' && text.includes('.')) return undefined;
    return readNumberText(text);
  }

  private ambiguous(text: string): undefined {
    this.problem = `${shown(text)} may be a thousand or have three decimals. Say decimal in the mapping: {"decimal":"."} or {"decimal":","}.`;
    return undefined;
  }
}
