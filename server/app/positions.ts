// Wires the background work on positions, and the record of terminals coming and going.
import { Counter, type Registry } from 'prom-client';
import { createRunAfter } from '../faults/timers.ts';
import { registerPackingMetrics } from '../fleet/positions/packingMetrics.ts';
import { PositionPacking } from '../fleet/positions/positionPacking.ts';
import { PresenceRecorder } from '../fleet/presence/presenceRecorder.ts';
import { registerReportMetrics } from '../fleet/reportMetrics.ts';
import { ReportRetention } from '../fleet/reportRetention.ts';
import type { Log } from '../process/log.ts';
import { damageFault, type OnDamagedBlock, onceForEach } from '../store/fleet/blocks/damagedBlocks.ts';
import type { Context } from './context.ts';

/** What of the positions can't be read any more is logged and counted, once for each block. */
export function createDamageReport(registry: Registry, log: Log): OnDamagedBlock {
  const damaged = new Counter({
    name: 'fleetglass_position_blocks_damaged_total',
    help: 'Blocks of positions found damaged since the start',
    registers: [registry],
  });
  return onceForEach((block) => {
    damaged.inc();
    log.error({ err: damageFault(block) }, 'positions');
  });
}

/**
 * Packs positions, deletes those that are past their retention, and notes when terminals come and go: before the device side is there.
 * `presence` is to be stopped before that is closed, so that sessions end by the gateway's stop and not by their connections.
 */
export function startPositions({ config, stores, metrics, log, closing, onLimit, feed, bus }: Context) {
  const onFault = (error: Error): void => log.warn({ err: error }, 'positions');
  const common = { now: Date.now, runAfter: createRunAfter(onFault), onLimit, onFault };
  const packing = new PositionPacking({ ...common, packing: stores.positionPacking });
  registerPackingMetrics(metrics, packing);
  closing.add('packing of positions', () => packing.close());
  const retention = new ReportRetention({
    ...common,
    removal: stores.reportRemoval,
    memberGroups: stores.memberGroups,
    positionDays: config.positionRetentionDays,
  });
  registerReportMetrics(metrics, retention);
  bus.deviceRemoved.subscribe('retention of positions', () => retention.workSoon());
  closing.add('retention of positions', () => retention.close());
  const presence = new PresenceRecorder({ ...common, feed, store: stores.presenceSessions });
  closing.add('presence', () => presence.stop());
  return { presence };
}
