import { Gauge, type Registry } from 'prom-client';
import type { JobFile } from '../store/reports/reportJobs.ts';

interface ReportFigures {
  readonly running: () => number;
  readonly questions: () => number;
  readonly files: () => Promise<readonly JobFile[]>;
}

/** Adds the reports to the figures of the gateway. */
export function registerReportJobMetrics(registry: Registry, { running, questions, files }: ReportFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'fleetglass_reports_running',
    help: 'Reports that are being made',
    registers,
    collect() {
      this.set(running());
    },
  });
  new Gauge({
    name: 'fleetglass_report_questions',
    help: 'Pages and charts of reports that are being read',
    registers,
    collect() {
      this.set(questions());
    },
  });
  new Gauge({
    name: 'fleetglass_report_results_bytes',
    help: 'Size of the results of reports; REPORT_MAX_MB limits it',
    registers,
    async collect() {
      this.set((await files()).reduce((sum, { bytes }) => sum + bytes, 0));
    },
  });
}
