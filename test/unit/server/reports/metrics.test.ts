import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { registerReportJobMetrics } from '../../../../server/reports/metrics.ts';

it('reports that are made and read are counted, and the bytes of their results added up', async () => {
  const registry = new Registry();
  const file = { id: 1, memberGroup: 1, file: 'a', expiresAtMs: 0 };
  const files = async () => [1_000, 234].map((bytes) => ({ ...file, bytes }));
  registerReportJobMetrics(registry, { running: () => 2, questions: () => 3, files });
  const text = await registry.metrics();
  expect(text).toMatch(/^fleetglass_reports_running 2$/m);
  expect(text).toMatch(/^fleetglass_report_questions 3$/m);
  expect(text).toMatch(/^fleetglass_report_results_bytes 1234$/m);
});
