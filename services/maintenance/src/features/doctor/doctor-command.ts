import { UsageError, type Command } from '../../command-line/command.js';
import { openStore } from '../../stores/open-store.js';
import { examine } from './examine.js';
import type { Finding, FindingState } from './finding.js';

const PROBLEMS_FOUND = 1;
export const COULD_NOT_CHECK = 2;
const HOUR_MS = 3_600_000;
const SETTLE_MS = 15_000;

const HELP = `
npm run doctor [-- --json] [--thorough] [--older-than-hours N]

Looks a Sinebar over and changes nothing: schema versions, the tree of the inspection plan, measurements and their values, outboxes and the event
stream, the raw-data service's mirror of the parts, files without bytes and bytes without files, disk space. It may work or be stopped meanwhile; on a
data folder whose Sinebar is stopped the database is started for the time of the check, as at every start.

Which Sinebar:
  SINEBAR_DATA_DIR=<folder>      one that npm start runs (default: sinebar-data)
  DATABASE_URL, NATS_URL, S3_…   the distributed services; SINEBAR_FILE_DIR where files lie in a folder

  --json                 one JSON object on standard output
  --thorough             every measurement, not only the newest
  --older-than-hours N   stored objects that are younger may belong to an upload that still runs (default: 1)

Exit code 0: everything is in order; 1: there are problems; 2: something could not be checked.
`;

const options = {
  json: { type: 'boolean' },
  thorough: { type: 'boolean' },
  'older-than-hours': { type: 'string', default: '1' },
} as const;

export const doctorCommand: Command<typeof options> = {
  name: 'doctor',
  help: HELP,
  options,
  words: [],
  run: async ({ values }, context) => {
    const hours = values['older-than-hours'] ?? '';
    if (!/^\d{1,6}(\.\d+)?$/.test(hours)) throw new UsageError(`--older-than-hours takes a number of hours, not "${hours}".`);
    const store = await openStore(context);
    try {
      const findings = await examine(
        store,
        { thorough: values.thorough === true, olderThanMs: Number(hours) * HOUR_MS, settleMs: SETTLE_MS },
        context.signal,
      );
      const result = resultOf(findings);
      context.print(
        values.json
          ? JSON.stringify({ result, store: store.kind, findings }, undefined, 2)
          : `${store.name}\n\n${tableOf(findings)}\n\n${SUMMARIES[result]}`,
      );
      return result === 'clean' ? 0 : result === 'problems' ? PROBLEMS_FOUND : COULD_NOT_CHECK;
    } finally {
      await store.close();
    }
  },
};

type Result = 'clean' | 'problems' | 'incomplete';

const SUMMARIES: Record<Result, string> = {
  clean: 'Everything is in order.',
  problems: 'There are problems.',
  incomplete: 'No problems were found, but not everything could be checked.',
};

/** A known problem outranks a possible one. */
function resultOf(findings: readonly Finding[]): Result {
  if (findings.some(({ state }) => state === 'problem')) return 'problems';
  return findings.some(({ state }) => state === 'unchecked') ? 'incomplete' : 'clean';
}

const LABELS: Record<FindingState, string> = { ok: 'ok', problem: 'PROBLEM', unchecked: 'NOT CHECKED' };

function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, state, detail, examples = [] }) => [
      `${LABELS[state].padEnd(11)}  ${check.padEnd(width)}  ${detail}`,
      ...examples.map((example) => `${' '.repeat(width + 15)}${example}`),
    ])
    .join('\n');
}
