import type { Formats } from '@sinebar/charts';
import type { PartOverview, ProcessStatus } from '@sinebar/client';
import type { GlyphName } from '../../design/status/glyph';
import type { processTexts } from './process-texts';

/** Statuses of a process that lists are filtered by, the worst first. */
export const PROCESS_STATUSES = ['notStable', 'notCapable', 'uncertain', 'capable', 'unknown'] as const satisfies readonly ProcessStatus[];

export const PROCESS_GLYPHS: Readonly<Record<ProcessStatus, GlyphName>> = {
  capable: 'inLimits',
  uncertain: 'inWarning',
  notCapable: 'outOfTolerance',
  notStable: 'outOfTolerance',
  unknown: 'noData',
};

type Family = 'normal' | 'lognormal' | 'weibull' | 'gamma' | 'foldedNormal' | 'rayleigh' | 'student';
type Characteristic = PartOverview['characteristics'][number];
export type ProcessTexts = (typeof processTexts)['en'];

/** Says where a process began to differ. @param decimals of the levels */
export function sinceText(since: NonNullable<Characteristic['since']>, decimals: number, formats: Formats, t: ProcessTexts): string {
  const time = formats.dayTime(since.time);
  const level = (value: number | undefined) => (value === undefined ? '' : formats.number(value, decimals));
  if (since.kind === 'points') return since.on === 'location' ? t.sincePoints(time) : t.sinceRanges(time);
  return (since.kind === 'step' ? t.sinceStep : t.sinceDrift)(time, level(since.from), level(since.to));
}

/** The status of a process in words, since when it differs, and of when the status is where the values are newer. */
export function processText({ process, since, asOf }: Characteristic, decimals: number, formats: Formats, t: ProcessTexts): string {
  const parts = [t[process], since && sinceText(since, decimals + 1, formats, t), asOf && t.asOf(formats.dayTime(asOf))];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The model that an index follows; empty where it is normal. */
export function modelText({ model }: Characteristic, t: ProcessTexts): string {
  return model === undefined ? '' : t[`model_${model.name}`];
}

/** The family of the model in one word, for tables: a mirrored one has the name of the other. */
export function familyText(
  { model }: { readonly model?: Partial<NonNullable<Characteristic['model']>> & Pick<NonNullable<Characteristic['model']>, 'name'> },
  t: ProcessTexts,
): string {
  return model === undefined ? '' : t[`model_${model.name.replace('Mirrored', '') as Family}`];
}
