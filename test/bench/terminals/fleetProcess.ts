// One process of terminals that report where they are again and again.
import { drivenAt } from '../fences/driving.ts';
import { Fleet, runAtRate } from './fleet.ts';
import type { FleetOrder, FromFleet, SentPosition, ToFleet } from './messages.ts';

const order = JSON.parse(process.argv[2] ?? '') as FleetOrder;
const tell = (message: FromFleet): void => void process.send?.(message);
const fleet = new Fleet(order, tell);
const sent: SentPosition[] = [];
let stop = (): void => undefined;

process.on('message', (message: ToFleet) => {
  if (message.type === 'start') stop = startReports();
  else {
    stop();
    tell({ type: 'sent', positions: sent, cut: fleet.cut });
  }
});
// The bench is gone: nobody wants these terminals any more.
process.on('disconnect', () => process.exit());
await fleet.dialAll();

/** Spread over the whole interval, as terminals are that were switched on at different times. */
function startReports(): () => void {
  const { first, count, positionSeconds, areDriving = false } = order;
  return runAtRate(count / positionSeconds, (turn) => {
    const device = first + (turn % count);
    const sentAtMs = fleet.report(device, 0, areDriving ? drivenAt(device, Date.now()) : undefined);
    // A report's own time has whole seconds; the terminals send far less often, so it names the report.
    sent.push([device, Math.floor(sentAtMs / 1_000), sentAtMs]);
  });
}
