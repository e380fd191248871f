import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createAlarmLimitStore } from './alarmLimits.ts';
import { createDeviceGroupStore } from './deviceGroups.ts';
import { createDeviceOrderStore } from './deviceOrders.ts';
import { createDeviceRecordStore } from './deviceRecords.ts';
import { createDeviceStore } from './devices.ts';
import { createDeviceTreeStore } from './deviceTree.ts';
import { createTerminalAttributeStore } from './terminalAttributes.ts';
import { createTerminalKindStore } from './terminalKinds.ts';
import { createUnknownTerminalStore } from './unknownTerminals.ts';

export type DeviceStores = Readonly<ReturnType<typeof createDeviceStores>>;

/** `reading`: for lists and exports, which may take long. */
export function createDeviceStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    alarmLimits: createAlarmLimitStore(db),
    deviceGroups: createDeviceGroupStore(db),
    deviceOrders: createDeviceOrderStore(db, reading),
    deviceRecords: createDeviceRecordStore(db, reading),
    deviceTree: createDeviceTreeStore(db),
    devices: createDeviceStore(db),
    terminalAttributes: createTerminalAttributeStore(db),
    terminalKinds: createTerminalKindStore(reading),
    unknownTerminals: createUnknownTerminalStore(db, { onLimit }),
  };
}
