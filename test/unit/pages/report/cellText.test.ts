import { describe, expect, it } from 'vitest';
import { cellText, durationText } from '../../../../pages/innerpage/report/result/cellText.ts';
import type { ReportColumnType } from '../../../../shared/protocol/reports/reportWords.ts';

const TEXTS = { zone: 'Asia/Tokyo', deviceName: (id: string) => `<${id}>`, eventName: (code: string) => `[${code}]` };

describe('a cell of a report', () => {
  it.each<[ReportColumnType, string | number | null, string]>([
    ['text', 'Depot', 'Depot'],
    ['text', null, ''],
    ['device', 'BUS-1', '<BUS-1>'],
    ['event-type', 'speeding', '[speeding]'],
    ['time', Date.UTC(2026, 0, 1), '2026-01-01 09:00:00'],
    ['time', 0, ''],
    ['distance', 12_345, '12.3 km'],
    ['speed', 88.4, '88 km/h'],
    ['liters', 5, '5.0 L'],
    ['celsius', -3.25, '-3.3 °C'],
    ['share', 0.5, '50.0 %'],
    ['count', 12_345, '12,345'],
    ['degrees', 23.5, '23.500000'],
    ['bytes', 1_234_567_890, '1,234.57 MB'],
    ['bytes', 4_999, '0.00 MB'],
    ['day', '2026-01', '2026-01'],
  ])('of type %s says %s as %s', (type, value, text) => {
    expect(cellText({ name: 'any', type }, value, TEXTS)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '0:01'],
    [3_900_000, '1:05'],
    [360_000_000, '100:00'],
  ])('says %s milliseconds as %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});
