import { parser } from '@prometheus-io/lezer-promql';

/** Series and labels that an expression reads. */
export interface ReadExpression {
  /** Places that are not PromQL. */
  problems: string[];
  metrics: string[];
  /** Names of labels, of conditions and of groups. */
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

/** Values by series (`name{label="value"}`) of a text in the format of Prometheus. */
export function readSeries(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
