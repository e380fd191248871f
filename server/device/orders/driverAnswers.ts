// What drivers answer to questions (0x0302), kept with the question; and a count of what terminals report for nobody.
import { Counter, type Registry } from 'prom-client';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOrderStore } from '../../store/devices/deviceOrders.ts';
import type { MessageReport, Report, ReportFeed } from '../reportFeed.ts';

/** `answer`: to what nobody has asked, or asked too long ago. The others have no use yet. */
export type UnusedReport = 'answer' | 'driver-event' | 'upgrade-result';

export interface DriverAnswersDeps {
  readonly store: Pick<DeviceOrderStore, 'answer'>;
  readonly feed: Pick<ReportFeed, 'subscribe'>;
  readonly onUnused: (kind: UnusedReport) => void;
}

/** The terminal hears of success once the answer is stored. Returns its own end. */
export function keepDriverAnswers({ store, feed, onUnused }: DriverAnswersDeps): () => void {
  const keep = async ({ device, body, receivedAtMs }: MessageReport): Promise<void> => {
    if (body.kind !== 'questionAnswer') return;
    const { replySerial: serial, answerId } = body;
    const answer = { incarnation: device.incarnation, serial, answerId, atMs: wallMs(receivedAtMs) };
    if (!(await store.answer(answer))) onUnused('answer');
  };
  return feed.subscribe('driver answers', (report: Report) => {
    if (report.kind !== 'message') return undefined;
    if (report.body.kind === 'questionAnswer') return keep(report);
    if (report.body.kind === 'eventReport') onUnused('driver-event');
    if (report.body.kind === 'upgradeResult') onUnused('upgrade-result');
    return undefined;
  });
}

/** Adds a count of these reports to the gateway's metrics. */
export function unusedReportsCounter(registry: Registry): (kind: UnusedReport) => void {
  const counter = new Counter({
    name: 'fleetglass_unused_reports_total',
    help: 'Reports of terminals that nothing uses, by kind',
    labelNames: ['kind'] as const,
    registers: [registry],
  });
  return (kind) => counter.inc({ kind });
}
