// The figures that the gateway works out, asked for again from time to time while the page is seen.
import { getFigures, getSystemFigures } from '../../../../shared/api/fleet.ts';
import type { DashboardFigures, SystemFigures } from '../../../../shared/protocol/api/fleet.ts';
import { type LoadedRecord, useRecord } from '../../../../shared/ui/records/useRecord.ts';

const FIGURES_EVERY_MS = 60_000;
const SYSTEM_EVERY_MS = 10_000;

export function useFigures(): LoadedRecord<DashboardFigures> {
  return useRecord({ key: ['figures'], load: getFigures, everyMs: FIGURES_EVERY_MS });
}

export function useSystemFigures(): LoadedRecord<SystemFigures> {
  return useRecord({ key: ['system-figures'], load: getSystemFigures, everyMs: SYSTEM_EVERY_MS });
}
