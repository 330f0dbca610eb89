import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { readFonts } from '@sinebar/report';
import type { FromProcess, ReportJob, ReportRows, RowsName, ToProcess } from './report-messages.ts';

/**
 * Writes one report to its standard output, in a process of its own: times are in the zone of the plant, which the variable TZ names,
 * and neither its memory nor its work touch the service. It asks for rows when it needs them, and ends with its parent.
 */

const OUTPUT = 1;

process.on('disconnect', () => process.exit());
process.once('message', (job: ReportJob) => void write(job));

async function write({ request, head, format }: ReportJob): Promise<void> {
  try {
    // Its pipe does not block: a stream of a file gives up when the parent reads slowly.
    const output = new Socket({ fd: OUTPUT, readable: false });
    const content = { ...head, characteristics: list('characteristics'), details: list('details'), alarms: list('alarms') };
    const { signal } = new AbortController();
    let pages = 1;
    if (format === 'xlsx') {
      const { writeReportTable } = await import('@sinebar/report/write-report-table');
      await writeReportTable(request, content, { output, signal });
    } else {
      const { writeReport } = await import('@sinebar/report/write-report');
      ({ pages } = await writeReport(request, content, { output, fonts: readFonts(), signal }));
    }
    // The parent kills this process once it knows the pages; an exit would write the compiled modules too late.
    flushCompileCache();
    tell({ pages });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
  }
  process.disconnect();
}

/** Returns a list that is read from its beginning by each section that shows it. */
function list<Name extends RowsName>(name: Name): AsyncIterable<ReportRows[Name]> {
  return { [Symbol.asyncIterator]: () => rows(name) };
}

async function* rows<Name extends RowsName>(next: Name): AsyncGenerator<ReportRows[Name]> {
  for (;;) {
    const answered = once(process, 'message') as Promise<[ToProcess]>;
    tell({ next });
    const [answer] = await answered;
    if (!('rows' in answer)) throw new Error('A report is written already.');
    yield* answer.rows as ReportRows[Name][];
    if (answer.isLast) return;
  }
}

function tell(message: FromProcess): void {
  process.send?.(message);
}
