import { parser } from '@prometheus-io/lezer-promql';

export interface ReadExpression {
  /** Texts that are not valid PromQL. */
  problems: string[];
  metrics: string[];
  /** Names of labels in conditions and groups. */
  labels: string[];
}

/** @param expression may hold variables of Grafana: a time range and texts */
export function readExpression(expression: string): ReadExpression {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const read: ReadExpression = { problems: [], metrics: [], labels: [] };
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      const found = text.slice(from, to);
      if (type.isError) read.problems.push(`at ${from} of ${text}`);
      else if (type.name === 'Identifier') read.metrics.push(found);
      else if (type.name === 'LabelName') read.labels.push(found);
    },
  });
  return read;
}

/** Parses values by series (`name{label="value"}`) from the text format of Prometheus. */
export function readSeries(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
