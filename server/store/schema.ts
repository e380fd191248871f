// The tables as Kysely sees them. The migrations make them, only the stores use them, and each subject declares its own.
//
// Times are integer milliseconds since the epoch (UTC). Truth values are 0 and 1, since SQLite has no boolean and the
// same statements run on both engines. Lists that no statement looks into are JSON text.
import type { AccountTables } from './accounts/tables.ts';
import type { AuditTables } from './audit/tables.ts';
import type { DeviceTables } from './devices/tables.ts';
import type { EventTables } from './events/tables.ts';
import type { FenceTables } from './fences/tables.ts';
import type { FirmwareTables } from './firmware/tables.ts';
import type { FleetTables } from './fleet/tables.ts';
import type { LinkTables } from './links/tables.ts';
import type { NetflowTables } from './netflow/tables.ts';
import type { NotifyTables } from './notify/tables.ts';
import type { RecordingTables } from './recordings/tables.ts';
import type { ReportTables } from './reports/tables.ts';
import type { SyncTables } from './sync/tables.ts';
import type { SystemTables } from './system/tables.ts';
import type { TrackTables } from './tracks/tables.ts';

export interface Schema
  extends AccountTables,
    AuditTables,
    DeviceTables,
    EventTables,
    FenceTables,
    FirmwareTables,
    FleetTables,
    LinkTables,
    NetflowTables,
    NotifyTables,
    RecordingTables,
    ReportTables,
    SyncTables,
    SystemTables,
    TrackTables {}
