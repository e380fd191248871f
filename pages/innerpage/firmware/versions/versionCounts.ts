// The firmware versions in the fleet, for the table and its chart. Pure.
import type { FirmwareVersions } from '../../../../shared/protocol/api/firmware/images.ts';

export interface VersionRow {
  readonly key: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly firmwareVersion: string;
  readonly devices: number;
  /** Share of the devices of this model, 0 to 1. */
  readonly share: number;
}

export function versionRows(versions: FirmwareVersions): readonly VersionRow[] {
  const totals = new Map<string, number>();
  for (const { manufacturer, model, devices } of versions) {
    const key = JSON.stringify([manufacturer, model]);
    totals.set(key, (totals.get(key) ?? 0) + devices);
  }
  return versions.map(({ manufacturer, model, firmwareVersion, devices }) => {
    const total = totals.get(JSON.stringify([manufacturer, model])) ?? 0;
    return {
      key: JSON.stringify([manufacturer, model, firmwareVersion]),
      manufacturer,
      model,
      firmwareVersion,
      devices,
      share: total === 0 ? 0 : devices / total,
    };
  });
}

export interface VersionChartData {
  /** The models with the most devices come first. */
  readonly models: readonly string[];
  /** A number for each model, in their order. */
  readonly series: readonly { readonly firmwareVersion: string; readonly devices: readonly number[] }[];
  /** Devices of each model with versions that have no series of their own; empty where there are none. */
  readonly others: readonly number[];
  /** Number of models that the chart has no room for. */
  readonly omittedModels: number;
}

export const MOST_CHART_MODELS = 10;
/** More colors can't be told apart. */
export const MOST_CHART_VERSIONS = 7;

export function versionChart(rows: readonly VersionRow[]): VersionChartData {
  const models = byDevices(rows, ({ model }) => model);
  const shown = models.slice(0, MOST_CHART_MODELS);
  const ofShown = rows.filter(({ model }) => shown.includes(model));
  const versions = byDevices(ofShown, ({ firmwareVersion }) => firmwareVersion);
  const own = versions.slice(0, MOST_CHART_VERSIONS);
  const count = (fits: (firmwareVersion: string) => boolean) =>
    shown.map((model) =>
      ofShown.reduce((sum, row) => (row.model === model && fits(row.firmwareVersion) ? sum + row.devices : sum), 0),
    );
  return {
    models: shown,
    series: own.map((firmwareVersion) => ({
      firmwareVersion,
      devices: count((version) => version === firmwareVersion),
    })),
    others: versions.length > own.length ? count((version) => !own.includes(version)) : [],
    omittedModels: models.length - shown.length,
  };
}

function byDevices(rows: readonly VersionRow[], nameOf: (row: VersionRow) => string): readonly string[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.devices);
  return [...sums].sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1)).map(([name]) => name);
}
