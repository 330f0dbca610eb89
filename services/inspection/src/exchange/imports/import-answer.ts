import type { FileProblem, ImportAnswer } from '@sinebar/contracts';
import { addWarnings, type FileContent } from '@sinebar/exchange';
import type { PlannedImport } from './import-store.ts';
import type { ImportedFileContent } from './plan/import-draft.ts';
import type { ImportedAttributes } from './plan/imported-attributes.ts';

/** The answer for a file whose measurements were stored or checked. */
export function answerOf(
  { content }: ImportedFileContent,
  { answer }: PlannedImport,
  attributes: ImportedAttributes,
  firstMeasurements: string[],
): ImportAnswer {
  return {
    ...answer,
    measurements: { created: content.measurements, found: 0 },
    values: content.values,
    firstMeasurements,
    warnings: warningsOf(content, answer.warnings, attributes.warnings(), content.errors),
  };
}

/** The answer for content that was imported before: everything is there. @param planned what was done to the plan now */
export function answerOfKnown(
  earlier: ImportAnswer,
  { content }: ImportedFileContent,
  planned: Pick<ImportAnswer, 'attributes' | 'filled' | 'warnings'>,
): ImportAnswer {
  const found = ({ created, found: before }: ImportAnswer['parts']) => ({ created: 0, found: created + before });
  return {
    attributes: planned.attributes,
    parts: found(earlier.parts),
    characteristics: found(earlier.characteristics),
    filled: planned.filled,
    measurements: found(earlier.measurements),
    values: earlier.values,
    // Answers of an earlier release have none.
    firstMeasurements: (earlier as Partial<ImportAnswer>).firstMeasurements ?? [],
    warnings: warningsOf(content, planned.warnings),
  };
}

/** The first warnings: what the plan loses stands before what the reader noticed, without repetitions. */
function warningsOf(content: FileContent, ...lists: readonly (readonly FileProblem[])[]): FileProblem[] {
  const byText = new Map(lists.flat().map((problem) => [JSON.stringify([problem.line, problem.key, problem.message]), problem]));
  return [...addWarnings({ ...content, warnings: [...byText.values(), ...content.warnings] }, [])];
}
