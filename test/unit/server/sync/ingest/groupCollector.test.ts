import { describe, expect, it } from 'vitest';
import { createHubPacket, type HubPacket } from '../../../../../server/media/hubPacket.ts';
import { type CollectedGroup, GroupCollector } from '../../../../../server/sync/ingest/groupCollector.ts';
import { splitNalUnits } from '../../../../../shared/protocol/codec/video/nalUnits.ts';
import { Codec, type Dependence, PacketKind, readPacket } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import {
  accessUnit,
  pictureSet,
  recoveryPoint,
  SliceType,
  sequenceSet,
  sliceOf,
} from '../../../../support/media/slices.ts';

const ENTRY = accessUnit(sequenceSet(), pictureSet(), sliceOf({ type: SliceType.I, frameNumber: 4, order: 20 }));
const LEADING = accessUnit(sliceOf({ type: SliceType.B, frameNumber: 5, order: 18, isReference: false }));
const NEXT = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 5, order: 26, markings: [[1, 3]] }));
const DAMAGED = accessUnit(Uint8Array.of(0x41, 0));

function picture(bytes: Uint8Array, place: number, dependence?: Dependence | 'clean'): HubPacket {
  const times = { mediaTimeUs: mediaUs(place * 40_000), deviceTimeMs: wallMs(0) };
  const key = dependence !== undefined && dependence !== 'leading';
  const common = { kind: PacketKind.Video, codec: Codec.H264, discontinuity: false, ...times };
  return createHubPacket({ ...common, key, dependence: dependence === 'clean' ? undefined : dependence }, bytes);
}

function collect(packets: readonly HubPacket[]): CollectedGroup[] {
  const collector = new GroupCollector();
  return packets.flatMap((packet) => collector.push(packet)?.group ?? []);
}

describe('GroupCollector, of a stream without IDR pictures', () => {
  it('makes groups that stand alone, since they are put among others', () => {
    const opening = [picture(ENTRY, 2, 'entry'), picture(LEADING, 1, 'leading'), picture(NEXT, 5)];
    const [group] = collect([...opening, picture(ENTRY, 8, 'entry')]);
    const packets = group?.packets.map(({ packet }) => readPacket(Uint8Array.from(packet.bytes))) ?? [];
    const read = packets.flatMap((each) => (each.kind === 'packet' ? [each.packet] : []));
    expect(read.map(({ key, dependence, mediaTimeUs }) => [key, dependence, mediaTimeUs / 40_000])).toEqual([
      [true, undefined, 2],
      [false, undefined, 5],
    ]);
    expect(read.map(({ payload }) => splitNalUnits(payload).at(-1)?.type)).toEqual([5, 1]);
    const cleared = sliceOf({ type: SliceType.P, frameNumber: 1, order: 6, markings: [] });
    expect(read[1]?.payload).toEqual(accessUnit(cleared));
  });

  it('leaves out the rest of a group behind a picture that cannot be rewritten', () => {
    const groups = collect([
      ...[picture(ENTRY, 2, 'entry'), picture(DAMAGED, 3), picture(NEXT, 5)],
      ...[picture(ENTRY, 8, 'entry'), picture(NEXT, 11), picture(ENTRY, 14, 'entry')],
    ]);
    expect(groups.map(({ packets }) => packets.length)).toEqual([1, 2]);
  });
});

describe('GroupCollector, of a stream with gradual refresh', () => {
  const REFRESHED = accessUnit(
    ...[sequenceSet(), pictureSet(), recoveryPoint(25)],
    sliceOf({ type: SliceType.P, frameNumber: 5, order: 26 }),
  );
  const idr = picture(
    accessUnit(sequenceSet(), pictureSet(), sliceOf({ type: SliceType.I, frameNumber: 0, order: 0, nalType: 5 })),
    0,
    'clean',
  );

  it('makes groups that begin where refresh does, as they came, with the pictures shown before', () => {
    const second = [picture(REFRESHED, 4, 'recovering'), picture(LEADING, 3, 'leading'), picture(NEXT, 5)];
    const groups = collect([idr, picture(NEXT, 1), ...second, picture(REFRESHED, 8, 'recovering')]);
    expect(groups.map(({ packets }) => packets.length)).toEqual([2, 3]);
    expect(groups[1]?.packets.map(({ packet }) => packet)).toEqual(second);
  });

  it('rewrites its pictures where those before were, which they refer to', () => {
    const [, group] = collect([
      ...[picture(ENTRY, 2, 'entry'), picture(NEXT, 3), picture(REFRESHED, 4, 'recovering'), picture(NEXT, 5)],
      picture(REFRESHED, 8, 'recovering'),
    ]);
    const read = group?.packets.map(({ packet }) => readPacket(Uint8Array.from(packet.bytes))) ?? [];
    expect(read.map((each) => each.kind === 'packet' && each.packet.dependence)).toEqual(['recovering', undefined]);
    expect(read.map((each) => each.kind === 'packet' && each.packet.payload.join() === REFRESHED.join())).toEqual([
      false,
      false,
    ]);
  });
});
