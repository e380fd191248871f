import type { StoreDb } from '../../engine/database.ts';

/** A number by which history knows a device. */
export interface IncarnationState {
  readonly incarnation: number;
  readonly deviceId: string;
}

export async function readIncarnations(db: StoreDb): Promise<IncarnationState[]> {
  const rows = await db
    .selectFrom('device_incarnation')
    .select(['incarnation', 'device_id'])
    .orderBy('incarnation')
    .execute();
  return rows.map((row) => ({ incarnation: row.incarnation, deviceId: row.device_id }));
}

/** Whether present history belongs to the restored devices: each that has some is there under its number. */
export function historyFits(present: readonly IncarnationState[], restored: readonly IncarnationState[]): boolean {
  const there = new Map(restored.map((state) => [state.incarnation, state]));
  return present.every(({ incarnation, deviceId }) => there.get(incarnation)?.deviceId === deviceId);
}
