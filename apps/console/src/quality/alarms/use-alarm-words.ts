import type { Alarm } from '@sinebar/client';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { processTexts } from '../values/process-texts';
import { readRule, useRuleMeaning } from '../values/run-rules';
import { beginOf } from './alarm-facts';
import { texts } from './texts';

/** Writes what alarms say. */
export interface AlarmWords {
  /** The fault: `9 points in a row on one side of the centre line`. */
  what: (alarm: Alarm) => string;
  /** Name of the rule, such as `Nelson 2`; empty for other kinds. */
  rule: (alarm: Alarm) => string;
  /** The newest value with all its digits; empty without one. */
  value: (alarm: Alarm, unit?: string) => string;
  /** The limits with all their digits: `19.95 … 20.05`; empty without any. */
  limits: (alarm: Alarm) => string;
}

export function useAlarmWords(): AlarmWords {
  const t = useTexts(texts);
  const processes = useTexts(processTexts);
  const formats = useFormats();
  const meaningOf = useRuleMeaning();
  return useMemo(() => {
    const statusText = (status: string | undefined) => (status !== undefined && isStatus(status) ? processes[status] : (status ?? ''));
    const ruleText = ({ rule = '', on }: Alarm) => {
      const read = readRule(rule);
      if (!read) return t.unknownRule(rule);
      return on === 'variation' ? t.ofSpread(meaningOf(read)) : meaningOf(read);
    };
    const processText = ({ before, after }: Alarm) =>
      before === undefined ? t.processNow(statusText(after)) : t.process(statusText(before), statusText(after));
    const said = (alarm: Alarm): string => {
      const side = sideOf(alarm);
      switch (alarm.kind) {
        case 'tolerance':
          return side === 'above' ? t.aboveTolerance : side === 'below' ? t.belowTolerance : t.outOfTolerance;
        case 'plausibility':
          return side === 'above' ? t.abovePlausibility : side === 'below' ? t.belowPlausibility : t.notPlausible;
        case 'rule':
          return ruleText(alarm);
        case 'process':
          return processText(alarm);
        case 'silence':
          return alarm.since === undefined ? t.silent : t.silentSince(formats.dayTime(beginOf(alarm)));
      }
    };
    return {
      what: (alarm) => (alarm.points > 1 ? `${sentence(said(alarm))} (${t.points(formats.count(alarm.points))})` : sentence(said(alarm))),
      rule: ({ rule = '' }) => {
        const read = readRule(rule);
        return read ? t[read.group](String(read.number)) : '';
      },
      value: ({ value }, unit = '') => (value === undefined ? '' : `${formats.number(value)} ${unit}`.trim()),
      limits: ({ limits: { lower, upper, centerLine } = {} }) => {
        if (lower !== undefined && upper !== undefined) return t.range(formats.number(lower), formats.number(upper));
        if (lower !== undefined) return t.atLeast(formats.number(lower));
        if (upper !== undefined) return t.atMost(formats.number(upper));
        return centerLine === undefined ? '' : t.centerLine(formats.number(centerLine));
      },
    };
  }, [t, processes, formats, meaningOf]);
}

/** The side on which the newest value lies beyond a limit. */
function sideOf({ value, limits }: Alarm): 'above' | 'below' | undefined {
  if (value === undefined || limits === undefined) return undefined;
  if (limits.upper !== undefined && value > limits.upper) return 'above';
  return limits.lower !== undefined && value < limits.lower ? 'below' : undefined;
}

const STATUSES = ['capable', 'uncertain', 'notCapable', 'notStable', 'unknown'] as const;

function isStatus(text: string): text is (typeof STATUSES)[number] {
  return STATUSES.some((status) => status === text);
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
