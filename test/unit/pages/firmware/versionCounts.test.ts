import { expect, it } from 'vitest';
import {
  MOST_CHART_MODELS,
  MOST_CHART_VERSIONS,
  versionChart,
  versionRows,
} from '../../../../pages/innerpage/firmware/versions/versionCounts.ts';

const of = (model: string, firmwareVersion: string, devices: number) => ({
  manufacturer: 'ACME',
  model,
  firmwareVersion,
  devices,
});

it('a version has its share of the devices of its model, not of another of the same name', () => {
  const rows = versionRows([of('A', 'V1', 3), of('A', 'V2', 1), { ...of('A', 'V1', 5), manufacturer: 'OTHER' }]);
  expect(rows.map(({ share }) => share)).toEqual([0.75, 0.25, 1]);
});

it('the chart has the models and the versions with the most devices first', () => {
  const chart = versionChart(versionRows([of('A', 'V1', 1), of('B', 'V2', 5), of('B', 'V1', 2)]));
  expect(chart).toEqual({
    models: ['B', 'A'],
    series: [
      { firmwareVersion: 'V2', devices: [5, 0] },
      { firmwareVersion: 'V1', devices: [2, 1] },
    ],
    others: [],
    omittedModels: 0,
  });
});

it('what the chart has no room for is summed up or counted, and no device is lost', () => {
  const many = Array.from({ length: 20 }, (_, at) => of(`M${at % 12}`, `V${at}`, 20 - at));
  const chart = versionChart(versionRows(many));
  expect(chart.models).toHaveLength(MOST_CHART_MODELS);
  expect(chart.series).toHaveLength(MOST_CHART_VERSIONS);
  expect(chart.omittedModels).toBe(2);
  const drawn = [...chart.series.flatMap(({ devices }) => devices), ...chart.others];
  const inModels = many.filter(({ model }) => chart.models.includes(model));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  expect(sum(drawn)).toBe(sum(inModels.map(({ devices }) => devices)));
});
