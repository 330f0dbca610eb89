import { commandText } from '@sinebar/contracts';
import { type Command, runAsProcess, UsageError } from '../../command-line/command.ts';
import { openStore } from '../../stores/open-store.ts';
import { examine } from './examine.ts';
import type { Finding, FindingState } from './finding.ts';

const PROBLEMS_FOUND = 1;
export const COULD_NOT_CHECK = 2;
const HOUR_MS = 3_600_000;
const SETTLE_MS = 15_000;

const HELP = `
${commandText('doctor [--json] [--thorough] [--older-than-hours N]')}

Checks an installation and changes nothing: schema versions, the tree of the inspection plan, measurements and their values, outboxes
and the event stream, the part mirror of the raw-data service, files without bytes and bytes without files, disk space.
The product may run or be stopped; on the data folder of a stopped product the database is started during the check.

Installation:
  SINEBAR_DATA_DIR=<folder>      the standalone product (default: sinebar-data)
  DATABASE_URL, NATS_URL, S3_…   the distributed services; SINEBAR_FILE_DIR if files are in a folder

  --json                 one JSON object on standard output
  --thorough             every measurement, not only the newest
  --older-than-hours N   younger stored objects may belong to a running upload (default: 1)

Exit code 0: no problem; 1: problems; 2: a check was impossible.
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

export const run = (words: readonly string[]): Promise<void> => runAsProcess(doctorCommand, words, COULD_NOT_CHECK);
