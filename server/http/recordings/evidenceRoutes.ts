// Evidence: recordings that are held beyond their retention, for a reason, until somebody releases them.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  EVIDENCE_PATH,
  type EvidenceHold,
  EvidenceHolds,
  EvidenceId,
  EvidenceRelease,
  NewEvidenceHold,
} from '../../../shared/protocol/api/recordings.ts';
import { Nothing, ShortText } from '../../../shared/protocol/api/records.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { EvidenceRoom } from '../../events/evidence/evidenceRoom.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { DeviceStore } from '../../store/devices/devices.ts';
import type { ArchiveStore } from '../../store/recordings/archives.ts';
import type {
  EvidenceHold as EvidenceHoldRow,
  EvidenceHoldStore,
  HeldRange,
} from '../../store/recordings/evidenceHolds.ts';
import type { SegmentStore } from '../../store/recordings/segments.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import type { Caller } from '../kernel/recognise.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { archiveViewerOf } from './archiveViewer.ts';
import { type VisibleHold, visibleHolds } from './visibleHolds.ts';

export interface EvidenceDeps {
  readonly evidenceHolds: EvidenceHoldStore;
  readonly segments: Pick<SegmentStore, 'find' | 'channels'>;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly archives: Pick<ArchiveStore, 'ownerships'>;
  readonly evidenceRoom: Pick<EvidenceRoom, 'groupOf' | 'inTurn' | 'forMember'>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

/**
 * Active evidence holds of one user. Holds over the same recordings cost no bytes, so that those alone bound nothing. A further one is
 * refused with 409 `evidence-full`.
 */
export const EVIDENCE_LIMIT: Limit = { name: 'evidence.holds.account', max: 1_000 };

/** Holds that one answer lists. */
const LISTED = 2_000;
const MAX_RANGE_MS = 7 * 86_400_000;

const BAD_RANGE = {
  ...Refused.badRequest,
  message: 'Select a range that ends after it begins, at most one week long.',
};
const NOTHING = {
  status: 404,
  code: 'no-recording',
  message: 'No recordings in this range. Select another one.',
} as const;
const NO_HOLD = {
  status: 404,
  code: 'no-such-evidence',
  message: "Evidence hold not found, or you don't have access to it.",
} as const;
const FULL = {
  status: 409,
  code: 'evidence-full',
  message: 'Evidence storage is full. Release evidence or select a shorter range.',
} as const;
const SHARE_USED = {
  status: 409,
  code: 'evidence-share-used',
  message: "The member group's share of the evidence storage is used up. Release evidence or select a shorter range.",
} as const;

const config = { access: { kind: 'permissions', all: [Permission.Evidence] } } as const;

/** `GET` and `POST /api/playback/evidence`, `POST /api/playback/evidence/release`. */
export async function registerEvidence(app: FastifyInstance, deps: EvidenceDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { evidenceHolds, evidenceRoom, now } = deps;

  const query = Type.Object({ deviceid: Type.Optional(ShortText) });
  routes.get(
    EVIDENCE_PATH,
    { schema: { summary: 'What is held as evidence', querystring: query, response: answers(EvidenceHolds) }, config },
    async (request) => {
      return ok((await listed(deps, callerOf(request), request.query.deviceid)).map(toAnswer));
    },
  );

  routes.post(
    EVIDENCE_PATH,
    { schema: { summary: 'Holds a range as evidence', body: NewEvidenceHold, response: answers(EvidenceId) }, config },
    async (request, reply) => {
      const caller = callerOf(request);
      const { deviceid: deviceId, channel, fromMs, toMs, reason } = request.body;
      if (toMs <= fromMs || toMs - fromMs > MAX_RANGE_MS) return refuse(reply, BAD_RANGE);
      const device = await deps.devices.findByDeviceId(deviceId);
      if (device === undefined || !(await sees(deps, caller, device.archiveId))) return refuse(reply, Refused.device);
      const range = { archiveId: device.archiveId, channel, fromMs: wallMs(fromMs), toMs: wallMs(toMs) };
      const memberGroup = await evidenceRoom.groupOf(device.archiveId);
      return evidenceRoom.inTurn(memberGroup, async () => {
        if ((await evidenceHolds.countInForce(caller.user.username)) >= EVIDENCE_LIMIT.max) {
          deps.onLimit(EVIDENCE_LIMIT);
          return refuse(reply, FULL);
        }
        if (!(await isRecorded(deps.segments, range))) return refuse(reply, NOTHING);
        const room = await evidenceRoom.forMember(range, memberGroup);
        if (room !== 'free') return refuse(reply, room === 'full' ? FULL : SHARE_USED);
        const id = await evidenceHolds.add({ ...range, reason, heldBy: caller.user.username }, now());
        const detail = { id, channel, fromMs, toMs, reason };
        await recordAudit(request, { action: 'evidence.hold', target: deviceId, detail });
        return ok({ id });
      });
    },
  );

  routes.post(
    `${EVIDENCE_PATH}/release`,
    { schema: { summary: 'Releases evidence', body: EvidenceRelease, response: answers(Nothing) }, config },
    async (request, reply) => {
      const caller = callerOf(request);
      const named = await evidenceHolds.find(request.body.id);
      const hold = (await visibleHolds(deps.archives, caller, named === undefined ? [] : [named]))[0]?.hold;
      if (hold === undefined) return refuse(reply, NO_HOLD);
      if (!(await evidenceHolds.release(hold.id, caller.user.username, now()))) return refuse(reply, NO_HOLD);
      await recordAudit(request, { action: 'evidence.release', target: hold.deviceId, detail: { id: hold.id } });
      return ok({});
    },
  );
}

/** The newest that the caller sees. */
async function listed(
  { evidenceHolds, archives }: EvidenceDeps,
  caller: Caller,
  deviceId: string | undefined,
): Promise<VisibleHold[]> {
  const found: VisibleHold[] = [];
  let holds: readonly EvidenceHoldRow[] = [];
  do {
    holds = await evidenceHolds.list({ deviceId, beforeId: holds.at(-1)?.id, limit: LISTED });
    found.push(...(await visibleHolds(archives, caller, holds)));
  } while (holds.length === LISTED && found.length < LISTED);
  return found.slice(0, LISTED);
}

/** Checked by the archive: another device could have the ID by now. */
async function sees({ archives }: EvidenceDeps, caller: Caller, archiveId: string): Promise<boolean> {
  return (await archives.ownerships([archiveId], archiveViewerOf(caller))).get(archiveId) === 'device';
}

async function isRecorded(
  segments: EvidenceDeps['segments'],
  { archiveId, channel, fromMs, toMs }: HeldRange,
): Promise<boolean> {
  const channels = (await segments.channels()).filter((each) => each.archiveId === archiveId);
  for (const each of channels.filter((found) => channel === 0 || found.channel === channel)) {
    if ((await segments.find({ ...each, fromMs, toMs }, 1)).length > 0) return true;
  }
  return false;
}

function toAnswer({ hold: { deviceId, archiveId: _, ...hold }, isOfFormerDevice }: VisibleHold): EvidenceHold {
  return { ...hold, deviceid: deviceId, formerDevice: isOfFormerDevice };
}
