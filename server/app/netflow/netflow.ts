// Data usage of a running gateway: counted at the sockets, checked against data plans, written to the database.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { listTeller } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { TrafficMeter } from '../../device/usage/trafficMeter.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import type { NetflowForCalls } from '../../http/netflow/netflowDeps.ts';
import { registerNetflowMetrics } from '../../netflow/metrics.ts';
import { startNetflowPlacing } from '../../netflow/placing.ts';
import { startNetflowRetention } from '../../netflow/retention.ts';
import { Usage } from '../../netflow/usage.ts';
import type { Stores } from '../../store/stores.ts';
import { type Context, toolsOf } from '../context.ts';

export interface Netflow {
  /** Called for each byte by whatever has sockets of devices. */
  readonly meter: TrafficMeter;
  /** Checked wherever video or files begin. */
  readonly plans: PlanGate;
  /** The dependencies of API calls. */
  readonly forCalls: { readonly netflow: NetflowForCalls };
}

type NetflowContext = Pick<Context, 'bus' | 'metrics' | 'log' | 'closing' | 'onLimit'> & {
  readonly config: Pick<Config, 'netflowOverheadPercent'>;
  readonly stores: Pick<Stores, 'netflowUse'>;
};

interface NetflowParts {
  readonly engine: Pick<EventEngine, 'raise'>;
}

/** The records that decide which device has which plan. */
const PLACE_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

/** Runs before the device side, so that it counts the first byte and, when everything closes, the last. */
export async function startNetflow(context: NetflowContext, { engine }: NetflowParts): Promise<Netflow> {
  const { config, stores, bus, metrics, closing, onLimit } = context;
  const { netflowOverheadPercent: overheadPercent } = config;
  const { runAfter, onFault } = toolsOf(context, 'data usage');
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
