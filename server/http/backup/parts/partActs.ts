// The use cases by which an import saves records: those that the calls of the pages have, in the name of the member who imports.
import { createDeviceGroupActs, type DeviceGroupActs } from '../../../devices/acts/deviceGroups.ts';
import { createDeviceActs, type DeviceActs } from '../../../devices/acts/devices.ts';
import { createSenderActs, type SenderActs } from '../../../notify/acts/senders.ts';
import { createTemplateActs, type TemplateActs } from '../../../notify/acts/templates.ts';
import type { Actor } from '../../../records/recordActs.ts';
import type { BackupRoutesDeps } from '../backupDeps.ts';
import type { RequiredIds, WantedRecord } from './partRecords.ts';

/** What came of a record that was to be saved. `code`: the fault of a field, or that of the whole record. */
export type SavedPart =
  | { readonly ok: true; readonly id?: number | string }
  | { readonly ok: false; readonly code: string };

export interface PartActs {
  readonly devices: DeviceActs;
  readonly deviceGroups: DeviceGroupActs;
  readonly senders: SenderActs;
  readonly templates: TemplateActs;
}

export interface SavingPart {
  readonly actor: Actor;
  readonly acts: PartActs;
  /** The IDs of the references, which exist. */
  readonly ids: RequiredIds;
}

export type SavePart = (wanted: WantedRecord, saving: SavingPart) => Promise<SavedPart>;

export function createPartActs(deps: BackupRoutesDeps): PartActs {
  const { stores, secretBox, bus, now } = deps;
  const trail = { audit: stores.audit, bus, now };
  return {
    devices: createDeviceActs(deps),
    deviceGroups: createDeviceGroupActs({ ...trail, store: stores.deviceTree }),
    senders: createSenderActs({ ...trail, store: stores.notifySenders, secretBox }),
    templates: createTemplateActs({ ...trail, store: stores.notifyTemplates }),
  };
}
