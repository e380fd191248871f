import { describe, expect, it } from 'vitest';
import {
  decodeSidecar,
  encodeEnd,
  encodeGroup,
  encodeSidecar,
  encodeSidecarHeader,
  groupAt,
  type SegmentGroup,
  SIDECAR_HEADER_BYTES,
  SIDECAR_RECORD_BYTES,
} from '../../../../server/recording/segmentFormat.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';

const START = wallMs(1_795_000_000_123);

function group(number: number): SegmentGroup {
  return {
    offset: number * 1_000,
    bytes: 1_000,
    keyOffset: number * 1_000,
    keyBytes: 300,
    formatOffset: number === 0 ? undefined : 0,
    mediaTimeUs: mediaUs(number * 2_000_000 - 5),
    wallTimeMs: wallMs(START + number * 2_000),
    deviceTimeMs: wallMs(0),
    durationMs: 2_000,
    checksum: 0xdead_beef,
    keyChecksum: number,
    isDamaged: number === 1,
  };
}

const groups = [group(0), group(1), group(2)];
const end = { bytes: 3_000, endMs: wallMs(START + 6_000), deviceEndMs: wallMs(7), groupCount: 3 };
const whole = { startMs: START, groups, end };

describe('a sidecar', () => {
  it('gives back what was put in', () => {
    const bytes = encodeSidecar(whole);
    expect(decodeSidecar(bytes)).toEqual({ kind: 'read', index: whole, intactBytes: bytes.byteLength });
  });

  it('keeps how long pictures take to be right, up to a minute', () => {
    const recovering = [2_000, 70_000].map((recoveryMs, number) => ({ ...group(number), recoveryMs }));
    const read = decodeSidecar(encodeSidecar({ startMs: START, groups: recovering, end: undefined }));
    const times = read.kind === 'read' ? read.index.groups.map(({ recoveryMs }) => recoveryMs) : [];
    expect(times).toEqual([2_000, 65_535]);
  });

  it('is the same whether written at once or record by record', () => {
    const parts = [encodeSidecarHeader(START), ...groups.map(encodeGroup), encodeEnd(end)];
    expect(Buffer.concat(parts)).toEqual(Buffer.from(encodeSidecar(whole)));
  });

  it('is read up to the record that was cut short, at every length', () => {
    const bytes = encodeSidecar(whole);
    for (let length = 0; length < bytes.byteLength; length++) {
      const read = decodeSidecar(bytes.subarray(0, length));
      if (length < SIDECAR_HEADER_BYTES) {
        expect(read.kind).toBe('bad');
        continue;
      }
      const records = Math.floor((length - SIDECAR_HEADER_BYTES) / SIDECAR_RECORD_BYTES);
      const index = { startMs: START, groups: groups.slice(0, records), end: undefined };
      expect(read).toEqual({ kind: 'read', index, intactBytes: SIDECAR_HEADER_BYTES + records * SIDECAR_RECORD_BYTES });
    }
  });

  it('is read up to the record with a byte that is wrong, whichever byte it is', () => {
    const bytes = encodeSidecar(whole);
    for (let at = SIDECAR_HEADER_BYTES; at < bytes.byteLength; at++) {
      const spoilt = bytes.slice();
      spoilt[at] = (spoilt[at] ?? 0) ^ 0x10;
      const read = decodeSidecar(spoilt);
      const records = Math.floor((at - SIDECAR_HEADER_BYTES) / SIDECAR_RECORD_BYTES);
      expect(read).toMatchObject({ kind: 'read', index: { groups: groups.slice(0, records), end: undefined } });
    }
  });

  it('does not take a record that leaves a hole, nor an end that does not fit', () => {
    const hole = encodeSidecar({ ...whole, groups: [group(0), group(2)], end: undefined });
    expect(decodeSidecar(hole)).toMatchObject({ index: { groups: [group(0)] } });
    const wrongEnd = encodeSidecar({ ...whole, end: { ...end, bytes: 2_999 } });
    expect(decodeSidecar(wrongEnd)).toMatchObject({ index: { groups, end: undefined } });
  });

  it.each([
    ['empty', ''],
    ['foreign', 'PNG1234567890123456'],
    ['of another version', 'FGIX\u0002\0\0\0\0\0\0\0\0\0\0\0'],
  ])('that is %s is bad', (_what, text) => {
    expect(decodeSidecar(Buffer.from(text, 'latin1'))).toEqual({ kind: 'bad' });
  });
});

describe('the group at a moment', () => {
  it.each([
    [-5_000, 0],
    [0, 0],
    [1_999, 0],
    [2_000, 1],
    [5_999, 2],
    [9_999, 2],
  ])('%d ms after the start is number %d', (afterMs, number) => {
    expect(groupAt(groups, START + afterMs)).toBe(number);
  });

  it('is none where there are none', () => {
    expect(groupAt([], START)).toBeUndefined();
  });
});
