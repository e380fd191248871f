import type { ReportParameters } from '../../../shared/protocol/api/reports/reports.ts';

export function reportParameters(changes: Partial<ReportParameters> = {}): ReportParameters {
  return {
    period: 'from-to',
    fromMs: 0,
    toMs: 0,
    timeZone: 'Europe/Berlin',
    deviceGroups: [],
    devices: [],
    eventTypes: [],
    fences: [],
    members: [],
    leastMinutes: 0,
    speedKmh: 0,
    ...changes,
  };
}
