// The only module that knows the `recording_policy` table.
import type { Selectable } from 'kysely';
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import type { WeekSchedule } from '../../../shared/protocol/api/weekWindows.ts';
import type { StoreDb } from '../engine/database.ts';
import type { RecordingPolicyTable } from './tables.ts';

export type { RecordingPolicy };

/** The scope of a policy: a channel; a device, with channel 0; all devices without a policy of their own, with device ''. */
export interface PolicyScope {
  readonly deviceId: string;
  readonly channel: number;
}

export type ScopedPolicy = PolicyScope & RecordingPolicy;

interface VersionedPolicy {
  readonly policy: RecordingPolicy;
  readonly version: number;
}

export interface RecordingPolicyStore {
  list(): Promise<ScopedPolicy[]>;
  /** The device's own policies, and the one of all devices. */
  listOf(deviceId: string): Promise<ScopedPolicy[]>;
  /** The policy of all devices without one of their own; undefined until it has been set. */
  forAll(): Promise<VersionedPolicy | undefined>;
  /** `version`: the version that the change is based on, 0 if there was none. False when it has changed meanwhile. */
  setForAll(policy: RecordingPolicy, version: number): Promise<boolean>;
  /** False when it has changed meanwhile, or there is none. */
  removeForAll(version: number): Promise<boolean>;
  set(scope: PolicyScope, policy: RecordingPolicy): Promise<void>;
  /** False when there was none. */
  remove(scope: PolicyScope): Promise<boolean>;
  /** Removes the policies of devices that no longer exist: the next device with the same id starts without. */
  removeOrphans(): Promise<void>;
}

export function createRecordingPolicyStore(db: StoreDb): RecordingPolicyStore {
  return {
    list: async () => {
      const rows = await db
        .selectFrom('recording_policy')
        .selectAll()
        .orderBy('device_id')
        .orderBy('channel')
        .execute();
      return rows.map(toPolicy);
    },
    listOf: async (deviceId) => {
      const policies = db.selectFrom('recording_policy').selectAll().where('device_id', 'in', ['', deviceId]);
      return (await policies.orderBy('device_id').orderBy('channel').execute()).map(toPolicy);
    },
    forAll: async () => {
      const policies = db.selectFrom('recording_policy').selectAll().where('device_id', '=', '');
      const row = await policies.where('channel', '=', 0).executeTakeFirst();
      if (row === undefined) return undefined;
      const { mode, quality, schedule, retentionDays } = toPolicy(row);
      return { policy: { mode, quality, schedule, retentionDays }, version: row.version };
    },
    setForAll: async (policy, version) => {
      const values = toColumns(policy);
      if (version === 0) {
        const insert = db.insertInto('recording_policy').values({ device_id: '', channel: 0, ...values });
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((conflict) => conflict.columns(['device_id', 'channel']).doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      }
      const update = db.updateTable('recording_policy').set({ ...values, version: version + 1 });
      const known = update.where('device_id', '=', '').where('channel', '=', 0).where('version', '=', version);
      return (await known.executeTakeFirst()).numUpdatedRows > 0n;
    },
    removeForAll: async (version) => {
      const common = db.deleteFrom('recording_policy').where('device_id', '=', '').where('channel', '=', 0);
      return (await common.where('version', '=', version).executeTakeFirst()).numDeletedRows > 0n;
    },
    set: async ({ deviceId, channel }, policy) => {
      const values = toColumns(policy);
      const insert = db.insertInto('recording_policy').values({ device_id: deviceId, channel, ...values });
      await insert.onConflict((conflict) => conflict.columns(['device_id', 'channel']).doUpdateSet(values)).execute();
    },
    remove: async ({ deviceId, channel }) => {
      const policy = db.deleteFrom('recording_policy').where('device_id', '=', deviceId).where('channel', '=', channel);
      return (await policy.executeTakeFirst()).numDeletedRows > 0n;
    },
    removeOrphans: async () => {
      const known = db.selectFrom('device').select('device_id');
      const orphans = db.deleteFrom('recording_policy').where('device_id', '<>', '');
      await orphans.where('device_id', 'not in', known).execute();
    },
  };
}

function toColumns({ mode, quality, schedule, retentionDays }: RecordingPolicy) {
  return { mode, quality, schedule: JSON.stringify(schedule), retention_days: retentionDays };
}

function toPolicy(row: Selectable<RecordingPolicyTable>): ScopedPolicy {
  return {
    deviceId: row.device_id,
    channel: row.channel,
    mode: row.mode === 'always' || row.mode === 'ignition' ? row.mode : 'off',
    quality: row.quality === 'sub' ? 'sub' : 'main',
    schedule: JSON.parse(row.schedule) as WeekSchedule,
    retentionDays: row.retention_days,
  };
}
