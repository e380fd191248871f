// Metrics for a support bundle, in the text format of Prometheus. Pure.
import type { Pseudonyms } from './pseudonyms.ts';

export interface ReadMetric {
  readonly name: string;
  readonly values: readonly ReadValue[];
}

interface ReadValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Name of a part of the metric, such as a histogram's buckets. */
  readonly metricName?: string | undefined;
}

const OWN_METRIC = /^fleetglass_\w+$/;
/** Labels whose values are words of the product, of Node or of HTTP, or numbers. */
const OWN_LABELS: ReadonlySet<string> = new Set([
  ...['limit', 'kind', 'outcome', 'method', 'route', 'status', 'state', 'severity'],
  ...['le', 'quantile', 'space', 'type', 'version', 'major', 'minor', 'patch'],
]);
const OWN_VALUE = /^[\w ():/*.+-]{0,100}$/;

/** One line for each value; metrics that others have registered are left out. */
export function metricLines(metrics: readonly ReadMetric[], pseudonyms: Pseudonyms): readonly string[] {
  return metrics
    .filter(({ name }) => OWN_METRIC.test(name))
    .flatMap(({ name, values }) => values.map((value) => metricLine(name, value, pseudonyms)));
}

function metricLine(name: string, { value, labels, metricName = name }: ReadValue, pseudonyms: Pseudonyms): string {
  const shown = Object.entries(labels).map(
    ([label, text = '']) => `${label}="${labelValue(label, String(text), pseudonyms)}"`,
  );
  return `${metricName}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}`;
}

function labelValue(label: string, text: string, pseudonyms: Pseudonyms): string {
  return OWN_LABELS.has(label) && OWN_VALUE.test(text) ? text : pseudonyms.of('text', text);
}
