import { beforeEach, describe, expect, it } from 'vitest';
import { EvidenceRoom } from '../../../../../server/events/evidence/evidenceRoom.ts';
import type { EventHold } from '../../../../../server/store/recordings/eventHolds.ts';
import type { HeldRange } from '../../../../../server/store/recordings/evidenceHolds.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

const [A, B] = [1, 2];

/** `toMs` says how many bytes there are. */
const rangeOf = (bytes: number): HeldRange => {
  return { archiveId: 'BUS1', channel: 1, fromMs: wallMs(0), toMs: wallMs(bytes) };
};

describe('room for evidence', () => {
  let room: EvidenceRoom;
  let nowMs: number;
  let counts: number;
  let memberBytes: Map<number, number>;
  let clips: Map<number, EventHold[]>;
  /** Bytes of each clip that another hold keeps too. */
  let sharedBytes: number;
  beforeEach(() => {
    [nowMs, counts, sharedBytes] = [0, 0, 0];
    [memberBytes, clips] = [new Map(), new Map()];
    room = new EvidenceRoom({
      evidenceHolds: {
        groupOf: async () => A,
        bytesIn: async ({ toMs }) => toMs,
        bytesByGroup: async (asked) => {
          counts++;
          return [A, B].map((memberGroup) => {
            const asks = asked !== undefined && asked.range.channel === memberGroup ? asked.range.toMs : 0;
            const held = (memberBytes.get(memberGroup) ?? 0) + (asked?.isMember === true ? asks : 0);
            const ofClips = bytesOf(clips.get(memberGroup) ?? []) + (asked?.isMember === false ? asks : 0);
            return { memberGroup, bytes: held + ofClips, memberBytes: held };
          });
        },
      },
      eventHolds: {
        oldestOf: async (memberGroup, { afterId, limit }) =>
          (clips.get(memberGroup) ?? []).filter(({ id }) => id > afterId).slice(0, limit),
        release: async (holds) => {
          for (const [memberGroup, own] of clips)
            clips.set(
              memberGroup,
              own.filter((each) => !holds.includes(each)),
            );
        },
      },
      owners: { count: 2 },
      maximumBytes: 1_000,
      now: () => nowMs,
    });
  });

  const bytesOf = (holds: readonly EventHold[]): number =>
    holds.reduce((sum, { range }) => sum + range.toMs - sharedBytes, 0);
  const fill = (memberGroup: number, count: number, bytes: number): void => {
    const own = Array.from({ length: count }, (_, at) => {
      return { id: at + 1, eventId: at + 1, eventBeginAtMs: 0, range: rangeOf(bytes) };
    });
    clips.set(memberGroup, own);
  };
  const forClip = (memberGroup: number, bytes: number) =>
    room.forClip({ ...rangeOf(bytes), channel: memberGroup }, memberGroup);

  it('is counted every ten seconds in which clips come, and not for each of them', async () => {
    for (let at = 0; at < 20; at++) expect(await forClip(A, 10)).toBe(true);
    expect(counts).toBe(1);
    nowMs = 10_000;
    expect(await forClip(A, 10)).toBe(true);
    expect(counts).toBe(2);
  });

  it('is refused without another count where what was counted leaves no doubt', async () => {
    memberBytes.set(A, 500);
    fill(A, 6, 100);
    for (let at = 0; at < 5; at++) expect(await forClip(A, 0)).toBe(false);
    expect(counts).toBe(1);
    expect(await forClip(A, 1)).toBe(false);
    expect(await forClip(A, 1)).toBe(false);
    expect(counts).toBe(2);
  });

  it('is counted again for a clip that may lie within what is held already', async () => {
    fill(A, 9, 100);
    expect(await forClip(A, 60)).toBe(true);
    expect(await forClip(A, 60)).toBe(true);
    expect(counts).toBe(2);
  });

  it('is there for another group at once, although the first one was refused', async () => {
    fill(A, 10, 100);
    expect(await forClip(A, 1)).toBe(false);
    expect(await forClip(B, 150)).toBe(true);
    expect(clips.get(A)?.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('is made until it is enough, where other holds keep a part of what is released', async () => {
    sharedBytes = 50;
    fill(A, 20, 100);
    expect(await room.forMember({ ...rangeOf(200), channel: B }, B)).toBe('free');
    expect(clips.get(A)).toHaveLength(16);
  });

  it('is not made by clips of which nothing is recorded yet', async () => {
    fill(A, 10, 100);
    clips.set(A, [{ id: 0.5, eventId: 99, eventBeginAtMs: 0, range: rangeOf(0) }, ...(clips.get(A) ?? [])]);
    expect(await room.forMember({ ...rangeOf(100), channel: B }, B)).toBe('free');
    expect(clips.get(A)?.map(({ eventId }) => eventId)).toEqual([99, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
