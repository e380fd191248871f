import type { OnLimit } from '../limits/limit.ts';
import { type AccountStores, createAccountStores } from './accounts/stores.ts';
import { type AuditStores, createAuditStores } from './audit/stores.ts';
import { createDeviceStores, type DeviceStores } from './devices/stores.ts';
import type { StoreDb } from './engine/database.ts';
import { createEventStores, type EventStores } from './events/stores.ts';
import { createFenceStores, type FenceStores } from './fences/stores.ts';
import { createFirmwareStores, type FirmwareStores } from './firmware/stores.ts';
import { type DamagedBlock, damageFault, type OnDamagedBlock } from './fleet/blocks/damagedBlocks.ts';
import { createFleetStores, type FleetStores } from './fleet/stores.ts';
import { createLinkStores, type LinkStores } from './links/stores.ts';
import { createNetflowStores, type NetflowStores } from './netflow/stores.ts';
import { createNotifyStores, type NotifyStores } from './notify/stores.ts';
import { createRecordingStores, type RecordingStores } from './recordings/stores.ts';
import { createReportStores, type ReportStores } from './reports/stores.ts';
import { createSyncStores, type SyncStores } from './sync/stores.ts';
import { createSystemStores, type SystemStores } from './system/stores.ts';
import { createTrackReadStores, type TrackReadStores } from './tracks/readStores.ts';
import { createTrackStores, type TrackStores } from './tracks/stores.ts';

/** Every store of one database; parts are given the ones that they need. */
export interface Stores
  extends AccountStores,
    AuditStores,
    DeviceStores,
    EventStores,
    FenceStores,
    FirmwareStores,
    FleetStores,
    LinkStores,
    NetflowStores,
    NotifyStores,
    RecordingStores,
    ReportStores,
    SyncStores,
    SystemStores,
    TrackStores,
    TrackReadStores {}

/** `reading`: lists, counts and exports go there, so that a long one holds up nothing else; left out: to the same. */
export function createStores(
  db: StoreDb,
  onLimit?: OnLimit,
  reading: StoreDb = db,
  onDamagedBlock: OnDamagedBlock = warn,
): Stores {
  return {
    ...createAccountStores(db, reading),
    ...createAuditStores(db, reading),
    ...createDeviceStores(db, reading, onLimit),
    ...createEventStores(db, reading, onLimit),
    ...createFenceStores(db, reading, onLimit),
    ...createFirmwareStores(db, reading, onLimit),
    ...createFleetStores(db, reading, { onLimit, onDamagedBlock }),
    ...createLinkStores(db, reading),
    ...createNetflowStores(db, reading, onLimit),
    ...createNotifyStores(db, reading, onLimit),
    ...createRecordingStores(db, reading),
    ...createReportStores(db, reading, onLimit),
    ...createSyncStores(db, reading, onLimit),
    ...createSystemStores(db, reading),
    ...createTrackStores(db),
    ...createTrackReadStores(db, reading),
  };
}

/** Where nobody else is told: a command line has no log. */
function warn(block: DamagedBlock): void {
  process.emitWarning(damageFault(block));
}
