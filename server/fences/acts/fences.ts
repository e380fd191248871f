// What members do with the geofences of their group.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { FenceContent, FenceShape } from '../../../shared/protocol/api/fences/fences.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import {
  type Actor,
  auditNote,
  type ContentRefusal,
  type NotedChange,
  type RecordRefusal,
  refusalOfFields,
} from '../../records/recordActs.ts';
import type { FenceReachStore } from '../../store/fences/fenceReach.ts';
import type { FenceImport, FenceStore, StoredFence } from '../../store/fences/fences.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { faultsOfFence, haveSameShape, storedContent } from './fenceChecks.ts';

/** The member group's geofences have too many vertices in all. */
type OwnRefusal = 'too-many-vertices';
/** A conflict has no current geofence where it has been deleted meanwhile. */
export type FenceRefusal = RecordRefusal<StoredFence | undefined, OwnRefusal>;
type Answer = Promise<Outcome<StoredFence, FenceRefusal>>;

export interface FenceActs {
  add(actor: Actor, content: FenceContent): Answer;
  change(actor: Actor, named: RecordVersion, content: FenceContent): Answer;
  remove(actor: Actor, named: RecordVersion): Answer;
  /** Saves what was planned on checked contents. False if a geofence has changed meanwhile, or there would be too many. */
  importMany(actor: Actor, work: FenceImport, noted: Pick<NotedChange, 'target' | 'detail'>): Promise<boolean>;
}

export interface FenceActsDeps {
  readonly store: Pick<FenceStore, 'find' | 'insert' | 'update' | 'remove' | 'importMany'>;
  readonly reach: FenceReachStore;
  readonly bus: Pick<ChangeBus, 'listChanged' | 'recordsChanged'>;
  readonly now: () => WallMs;
}

export function createFenceActs({ store, reach, bus, now }: FenceActsDeps): FenceActs {
  const changeBy = ({ username }: Actor, content: FenceContent) => {
    return { content: storedContent(content), by: username, atMs: now() };
  };
  const tell = async ({ memberGroup }: Actor): Promise<void> => {
    bus.listChanged.tell({ list: 'fences', memberGroup });
    await bus.recordsChanged.publish({ kinds: ['fence'], memberGroup });
  };
  const refused = async (reason: StoreRefusal, { memberGroup }: Actor, id: number): Answer => {
    if (reason !== 'conflict') return refuse(reason === 'gone' ? { kind: 'gone' } : fullRefusal(reason));
    return refuse({ kind: 'conflict', current: await store.find(id, memberGroup) });
  };
  return {
    add: async (actor, content) => {
      const refusal = await refusalOfFence(content, actor.memberGroup, reach);
      if (refusal !== undefined) return refuse(refusal);
      const added = await store.insert(actor.memberGroup, changeBy(actor, content), (fence) => {
        const after = auditFields(fence.content);
        return auditNote(actor, now(), { action: 'fence.add', target: fence.content.name, after });
      });
      if (!added.ok) return refuse(fullRefusal(added.reason));
      await tell(actor);
      return added;
    },
    change: async (actor, { id, version }, content) => {
      const { memberGroup } = actor;
      if ((await store.find(id, memberGroup)) === undefined) return refuse({ kind: 'gone' });
      const refusal = await refusalOfFence(content, memberGroup, reach);
      if (refusal !== undefined) return refuse(refusal);
      const done = await store.update({ id, memberGroup, version }, changeBy(actor, content), ({ before, after }) =>
        auditNote(actor, now(), {
          action: 'fence.change',
          target: after.content.name,
          before: auditFields(before.content),
          after: auditFields(after.content),
          detail: haveSameShape(before.content, after.content) ? undefined : { changed: ['geometry'] },
        }),
      );
      if (!done.ok) return refused(done.reason, actor, id);
      await tell(actor);
      return { ok: true, value: done.value.after };
    },
    remove: async (actor, { id, version }) => {
      const done = await store.remove({ id, memberGroup: actor.memberGroup, version }, ({ content }) =>
        auditNote(actor, now(), { action: 'fence.remove', target: content.name, before: auditFields(content) }),
      );
      if (!done.ok) return refused(done.reason, actor, id);
      await tell(actor);
      return done;
    },
    importMany: async (actor, work, noted) => {
      const { username, memberGroup } = actor;
      const atMs = now();
      const note = auditNote(actor, atMs, { action: 'fence.import', ...noted });
      const isDone = await store.importMany(memberGroup, work, { username, atMs }, note);
      if (isDone) await tell(actor);
      return isDone;
    },
  };
}

type FullReason = 'too-many' | OwnRefusal;
type StoreRefusal = 'gone' | 'conflict' | FullReason;

function fullRefusal(reason: FullReason): FenceRefusal {
  return reason === 'too-many' ? { kind: reason } : { kind: 'own', code: reason };
}

function refuse(reason: FenceRefusal): { readonly ok: false; readonly reason: FenceRefusal } {
  return { ok: false, reason };
}

/** Undefined for a geofence that the member group can have. */
export async function refusalOfFence(
  content: FenceContent,
  memberGroup: number,
  reach: FenceReachStore,
): Promise<ContentRefusal | undefined> {
  const [deviceGroups, devices] = await Promise.all([
    reach.deviceGroups(memberGroup),
    reach.devices(memberGroup, content.devices),
  ]);
  const choices = { deviceGroups: new Set(deviceGroups), devices: new Set(devices.map(({ deviceId }) => deviceId)) };
  return refusalOfFields(faultsOfFence(content, choices));
}

/** An outline may have thousands of positions: the audit has their number. */
function auditFields({ geometry, rules, ...content }: FenceContent): AuditFields {
  return { ...content, vertices: countOf(geometry), ...rules };
}

function countOf(geometry: FenceShape['geometry']): number {
  switch (geometry.type) {
    case 'Point':
      return 1;
    case 'LineString':
      return geometry.coordinates.length;
    case 'Polygon':
      return (geometry.coordinates[0]?.length ?? 1) - 1;
  }
}
