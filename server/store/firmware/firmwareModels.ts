// The only module that knows `firmware_model`: a member group's records about models of terminals.
import type { Selectable } from 'kysely';
import {
  type FIRMWARE_MODEL_SORTS,
  type FirmwareModel,
  type FirmwareModelContent,
  MAX_FIRMWARE_MODELS,
} from '../../../shared/protocol/api/firmware/images.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { textColumn } from '../engine/listPage.ts';
import {
  createGroupRecordStore,
  type GroupRecordStore,
  OF_MEMBER_GROUP,
  type RecordEdit,
} from '../records/groupRecords.ts';
import type { FirmwareModelTable } from './tables.ts';

type FirmwareModelSort = (typeof FIRMWARE_MODEL_SORTS)[number];

export interface FirmwareModelStore extends GroupRecordStore<FirmwareModelContent, FirmwareModel, FirmwareModelSort> {
  /** Records of the group, ordered by id. */
  ofGroup(memberGroup: number): Promise<FirmwareModel[]>;
}

/** Terminal models of a member group. A further one is refused with 409 `too-many-firmware-models`. */
export const FIRMWARE_MODELS_LIMIT: Limit = { name: 'firmware.models.group', max: MAX_FIRMWARE_MODELS };

export function createFirmwareModelStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): FirmwareModelStore {
  const records = {
    table: 'firmware_model',
    ...OF_MEMBER_GROUP,
    rows: modelsIn,
    toRow: toModel,
    toColumns,
    sorts: { pattern: textColumn('firmware_model.pattern'), method: textColumn('firmware_model.method') },
    searched: ['firmware_model.pattern'],
    limit: FIRMWARE_MODELS_LIMIT,
    unique: 'pattern',
  } as const;
  return {
    ...createGroupRecordStore(records, { db, reading, onLimit }),
    ofGroup: async (memberGroup) => {
      const own = modelsIn(reading).where('member_group', '=', memberGroup);
      return (await own.orderBy('id').execute()).map(toModel);
    },
  };
}

function modelsIn(db: StoreDb) {
  return db.selectFrom('firmware_model').selectAll();
}

function toColumns({ content: { pattern, ...content } }: RecordEdit<FirmwareModelContent>) {
  return { pattern, method: content.method, content: JSON.stringify(content) };
}

function toModel({ id, version, pattern, content }: Selectable<FirmwareModelTable>): FirmwareModel {
  const stored = JSON.parse(content) as Omit<FirmwareModelContent, 'pattern'>;
  return { id, version, packageIntervalMs: 0, ...stored, pattern };
}
