import type { TableForms } from '../content.ts';
import { shownOrder, TIME_FORMS, type DateOrder } from '../date-forms.ts';
import { shown } from '../problems.ts';
import { TimeReader } from '../time-reader.ts';

/** A date with slashes that does not begin with the year. */
const SLASHES = /^\s*\d{1,2}\//;

/** Reads the times of a table, where one date with slashes shows the order of all of them. */
export class TableTimes {
  /** Says why the text that was read last is no time. */
  problem = '';
  /** Whether the order was not known when a date was read. */
  private wasOpen = false;
  private order: TableForms['dateOrder'];
  private readonly reader: TimeReader;
  /** Readers of dates with slashes. */
  private readonly slashReaders: Readonly<Record<'dmy' | 'mdy', TimeReader>>;

  /** @param given order of the caller @param found order of the slashes, when the table was read before */
  constructor(zone: string, given: DateOrder | undefined, found: TableForms['dateOrder']) {
    this.order = given ?? found;
    this.reader = new TimeReader(zone, given);
    this.slashReaders = { dmy: new TimeReader(zone, 'dmy'), mdy: new TimeReader(zone, 'mdy') };
  }

  /** @returns the time in UTC; a provisional one while the order is not known; `undefined` when it is refused for {@link problem} */
  read(written: string): string | undefined {
    this.problem = '';
    const time = SLASHES.test(written) && this.order !== 'ymd' ? this.readSlashes(written) : this.reader.read(written);
    if (time === undefined && this.problem.length === 0) this.problem = `${shown(written)} is no date that is known. Write ${TIME_FORMS}.`;
    return time;
  }

  /** The order that the table shows, when times before were read without it. */
  get foundOrder(): TableForms['dateOrder'] {
    return this.wasOpen ? (this.order ?? 'undecided') : undefined;
  }

  private readSlashes(written: string): string | undefined {
    this.order ??= shownOrder(written);
    const { dmy, mdy } = this.slashReaders;
    if (this.order === 'dmy' || this.order === 'mdy') return this.slashReaders[this.order].read(written);
    const time = mdy.read(written);
    if (time === dmy.read(written)) return time;
    this.problem = `${shown(written)} may have the day or the month first, and no date of the table shows which. Say dateOrder: dmy or mdy.`;
    if (this.order === 'undecided') return undefined;
    this.wasOpen = true;
    return time;
  }
}
