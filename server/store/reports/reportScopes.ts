// The parts of a report that its reader can see now.
import type { StoreDb } from '../engine/database.ts';

interface VisibleDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
}

export interface ReportScope {
  /** Devices of the member group that are not disabled. */
  readonly devices: readonly VisibleDevice[];
  readonly deviceGroups: readonly number[];
}

export interface ReportScopeStore {
  scopeOf(memberGroup: number): Promise<ReportScope>;
  /** Whether the member group sees any of these devices and groups; with none given, any device at all. */
  seesAny(memberGroup: number, chosen: Chosen): Promise<boolean>;
}

interface Chosen {
  readonly devices: readonly string[];
  readonly deviceGroups: readonly number[];
}

export function createReportScopeStore(db: StoreDb): ReportScopeStore {
  const owned = (memberGroup: number) =>
    db.selectFrom('member_group_device_group').select('device_group').where('member_group', '=', memberGroup);
  const seen = (memberGroup: number) =>
    db.selectFrom('device').where('disabled', '=', 0).where('device_group', 'in', owned(memberGroup));
  return {
    scopeOf: async (memberGroup) => {
      const [devices, groups] = await Promise.all([
        seen(memberGroup).select(['device_id as deviceId', 'name', 'plate']).execute(),
        owned(memberGroup).execute(),
      ]);
      return { devices, deviceGroups: groups.map((row) => row.device_group) };
    },
    seesAny: async (memberGroup, { devices, deviceGroups }) => {
      if (deviceGroups.length > 0) {
        const groups = owned(memberGroup).where('device_group', 'in', deviceGroups).limit(1);
        if ((await groups.executeTakeFirst()) !== undefined) return true;
        if (devices.length === 0) return false;
      }
      const some = seen(memberGroup).select('device_id').limit(1);
      const chosen = devices.length === 0 ? some : some.where('device_id', 'in', devices);
      return (await chosen.executeTakeFirst()) !== undefined;
    },
  };
}
