import { PolicyError, readPolicy, type AccessPolicy, describeProblem } from '@sinebar/access-control';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';

export interface PolicyTextProblem {
  /** Line number, starting at 1. */
  line: number;
  message: string;
}

/** An invalid policy file, with all problems. */
export class PolicyTextError extends Error {
  override readonly name = 'PolicyTextError';
  readonly problems: readonly PolicyTextProblem[];

  constructor(problems: readonly PolicyTextProblem[]) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/** Most problems of one message: a file of another kind has thousands. */
const MAX_PROBLEMS = 20;

/** @throws PolicyTextError with line and sentence of every problem */
export function readPolicyText(text: string): AccessPolicy {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  if (document.errors.length > 0) {
    throw new PolicyTextError(
      document.errors.slice(0, MAX_PROBLEMS).map(({ pos, code, message }) => ({
        line: lineAt(pos[0]),
        message: code === 'DUPLICATE_KEY' ? 'this name stands here for the second time' : `is not YAML: ${message}`,
      })),
    );
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    throw new PolicyTextError([{ line: 1, message: `is not YAML: ${error instanceof Error ? error.message : String(error)}` }]);
  }
  try {
    return readPolicy(value);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new PolicyTextError(
      error.problems
        .slice(0, MAX_PROBLEMS)
        .map((problem) => ({ line: lineAt(offsetOf(document, problem.at)), message: describeProblem(problem) }))
        .sort((a, b) => a.line - b.line),
    );
  }
}

/** Returns the line of the member at `at`, or of its nearest existing parent. @param text a valid policy */
export function lineOf(text: string, at: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  return lines.linePos(offsetOf(parseDocument(text, { lineCounter: lines, stringKeys: true }), at)).line;
}

function offsetOf(document: Document.Parsed, at: readonly PropertyKey[]): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const key of at) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
