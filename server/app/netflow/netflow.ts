// Data usage of a running gateway: counted at the sockets, checked against data plans, written to the database.
import type { Registry } from 'prom-client';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
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
import type { Fleet } from '../fleet.ts';

export interface Netflow {
  /** Called for each byte by whatever has sockets of devices. */
  readonly meter: TrafficMeter;
  /** Checked wherever video or files begin. */
  readonly plans: PlanGate;
  /** The dependencies of API calls. */
  readonly forCalls: { readonly netflow: NetflowForCalls };
  /** Records of these kinds were edited by a call. */
  tellChanged(kinds: readonly RecordKind[]): void;
}

export interface NetflowStartDeps {
  readonly stores: Pick<Stores, 'netflowUse'>;
  readonly fleet: Pick<Fleet, 'netflowChanged'>;
  readonly engine: Pick<EventEngine, 'raise'>;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

/** The records that define devices, their groups and their plans. */
const PLAN_RECORDS: ReadonlySet<RecordKind> = new Set(['device', 'group', 'membergroup', 'simplan']);

/** Runs before the device side, so that it counts the first byte and, when everything closes, the last. */
export async function startNetflow(
  { netflowOverheadPercent: overheadPercent }: Pick<Config, 'netflowOverheadPercent'>,
  { stores, fleet, engine, metrics, log, closing, onLimit }: NetflowStartDeps,
): Promise<Netflow> {
  const onFault = (error: Error): void => log.error({ err: error }, 'data usage');
  const runAfter = createRunAfter(onFault);
  const usage = new Usage({
    store: stores.netflowUse,
    overheadPercent,
    now: Date.now,
    runAfter,
    onFault,
    onLimit,
    onPlanEvent: ({ deviceId, incarnation, archiveNumber }, { type, percent }) =>
      engine.raise({ type, form: 'momentary', value: percent, limit: 100 }, { deviceId, incarnation, archiveNumber }),
    onWritten: fleet.netflowChanged,
  });
  closing.add('data usage', () => usage.close());
  await usage.start();
  const retention = startNetflowRetention({ store: stores.netflowUse, now: Date.now, runAfter, onFault });
  closing.add('old data usage', () => retention.close());
  const placing = startNetflowPlacing({ store: stores.netflowUse, runAfter, onFault });
  closing.add('sums of data usage', () => placing.close());
  registerNetflowMetrics(metrics, usage);
  return {
    meter: usage.meter,
    plans: usage,
    forCalls: {
      netflow: {
        overheadPercent,
        isLimited: (incarnation) => usage.isLimited(incarnation),
        plansChanged: async (memberGroup) => {
          await usage.reload();
          // Lists are read from the database: without this they would show the previous period for up to a minute.
          await usage.write();
          fleet.netflowChanged(memberGroup);
        },
      },
    },
    tellChanged: (kinds) => {
      if (kinds.some((kind) => PLAN_RECORDS.has(kind))) usage.tellChanged();
    },
  };
}
