// Data usage of a running gateway: counted at the sockets, checked against data plans, written to the database.
import type { Registry } from 'prom-client';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { type ChangeBus, listTeller } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { TrafficMeter } from '../../device/usage/trafficMeter.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { NetflowForCalls } from '../../http/netflow/netflowDeps.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { registerNetflowMetrics } from '../../netflow/metrics.ts';
import { startNetflowPlacing } from '../../netflow/placing.ts';
import { startNetflowRetention } from '../../netflow/retention.ts';
import { Usage } from '../../netflow/usage.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';

export interface Netflow {
  /** Called for each byte by whatever has sockets of devices. */
  readonly meter: TrafficMeter;
  /** Checked wherever video or files begin. */
  readonly plans: PlanGate;
  /** The dependencies of API calls. */
  readonly forCalls: { readonly netflow: NetflowForCalls };
}

export interface NetflowStartDeps {
  readonly stores: Pick<Stores, 'netflowUse'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'listChanged'>;
  readonly engine: Pick<EventEngine, 'raise'>;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

/** The records that decide which device has which plan. */
const PLACE_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

/** Runs before the device side, so that it counts the first byte and, when everything closes, the last. */
export async function startNetflow(
  { netflowOverheadPercent: overheadPercent }: Pick<Config, 'netflowOverheadPercent'>,
  { stores, bus, engine, metrics, log, closing, onLimit }: NetflowStartDeps,
): Promise<Netflow> {
  const onFault = (error: Error): void => log.error({ err: error }, 'data usage');
  const runAfter = createRunAfter(onFault);
  const listChanged = listTeller(bus, 'netflow');
  const usage = new Usage({
    store: stores.netflowUse,
    overheadPercent,
    now: Date.now,
    runAfter,
    onFault,
    onLimit,
    onPlanEvent: ({ deviceId, incarnation, archiveNumber }, { type, percent }) =>
      engine.raise({ type, form: 'momentary', value: percent, limit: 100 }, { deviceId, incarnation, archiveNumber }),
    onWritten: listChanged,
  });
  closing.add('data usage', () => usage.close());
  await usage.start();
  const retention = startNetflowRetention({ store: stores.netflowUse, now: Date.now, runAfter, onFault });
  closing.add('old data usage', () => retention.close());
  const placing = startNetflowPlacing({ store: stores.netflowUse, runAfter, onFault });
  closing.add('sums of data usage', () => placing.close());
  registerNetflowMetrics(metrics, usage);
  bus.recordsChanged.subscribe('data usage', async ({ kinds, memberGroup }) => {
    if (kinds.includes('simplan')) {
      await usage.reload();
      // Lists are read from the database: without this they would show the previous period for up to a minute.
      await usage.write();
      listChanged(memberGroup);
    } else if (kinds.some((kind) => PLACE_RECORDS.includes(kind))) {
      usage.reloadSoon();
    }
  });
  return {
    meter: usage.meter,
    plans: usage,
    forCalls: {
      netflow: {
        overheadPercent,
        isLimited: (incarnation) => usage.isLimited(incarnation),
      },
    },
  };
}
