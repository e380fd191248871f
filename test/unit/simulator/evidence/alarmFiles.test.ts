import { describe, expect, it } from 'vitest';
import { type AlarmMark, createAlarmMark } from '../../../../server/device/jt808/codec/alarmMark.ts';
import { MAX_BLOCK_NAME_BYTES } from '../../../../server/device/jt808/codec/attachmentStream.ts';
import { AdasType } from '../../../../server/device/jt808/codec/codes.ts';
import { AttachmentType } from '../../../../server/device/jt808/codec/messages/attachments.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { AlarmFiles } from '../../../../simulator/evidence/alarmFiles.ts';
import { blocksIn, blocksOf } from '../../../../simulator/evidence/attachmentBlocks.ts';
import type { TerminalQuirks } from '../../../../simulator/quirks.ts';
import type { SafetyStep } from '../../../../simulator/script/vehicleScript.ts';

const AT_MS = Date.UTC(2026, 10, 23, 8);
const ALARM_NUMBER = 'a'.repeat(32);
const clips = await loadDemoClips();

const markOf = (serial: number): AlarmMark =>
  createAlarmMark({ terminalId: '0000001', time: wallMs(AT_MS), serial, fileCount: 3 });
const STEP: SafetyStep = {
  kind: 'safety',
  atSeconds: 0,
  alarm: { item: 'adas', type: AdasType.ForwardCollision },
  files: { channel: 2, pictures: 2, videoSeconds: 5 },
};
const filesWith = (quirks: TerminalQuirks = {}): AlarmFiles => {
  const files = new AlarmFiles({ clipOf: () => clips.cabin, quirks });
  files.keep(markOf(0), STEP, AT_MS);
  return files;
};

describe('the files of an alarm', () => {
  const files = filesWith().files(markOf(0), ALARM_NUMBER);

  it('have names as the standard has them, which fit a block', () => {
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      [`00_2_6401_0_${ALARM_NUMBER}.jpg`, AttachmentType.Picture],
      [`00_2_6401_1_${ALARM_NUMBER}.jpg`, AttachmentType.Picture],
      [`02_2_6401_2_${ALARM_NUMBER}.mp4`, AttachmentType.Video],
    ]);
    for (const { name } of files) expect(name.length).toBeLessThanOrEqual(MAX_BLOCK_NAME_BYTES);
  });

  it('are two pictures of different moments and a clip', () => {
    const [first, second, video] = files.map(({ bytes }) => Buffer.from(bytes));
    expect(first?.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(false);
    expect(video?.subarray(4, 8).toString()).toBe('ftyp');
  });

  it('are pictures alone where a camera has no clip, and no pictures at all where it is broken', () => {
    const withoutClip = new AlarmFiles({ clipOf: () => undefined, quirks: {} });
    withoutClip.keep(markOf(0), STEP, AT_MS);
    expect(withoutClip.files(markOf(0), '1').map(({ type }) => type)).toEqual([0, 0]);
    const [broken] = filesWith({ pictures: 'not-jpeg' }).files(markOf(0), '1');
    expect(Buffer.from(broken?.bytes.subarray(0, 6) ?? []).toString()).toBe('camera');
  });

  it('are kept of the last hundred alarms', () => {
    const kept = filesWith();
    for (let serial = 1; serial <= 100; serial++) kept.keep(markOf(serial), STEP, AT_MS);
    expect([0, 1, 100].map((serial) => kept.has(markOf(serial)))).toEqual([false, true, true]);
    expect(kept.files(markOf(0), '1')).toEqual([]);
  });
});

describe('the blocks of a file', () => {
  const file = {
    name: 'a.jpg',
    type: AttachmentType.Picture,
    bytes: Uint8Array.from({ length: 20_000 }, (_, at) => at),
  };
  const offsets = (blocks: Iterable<{ readonly offset: number }>) => [...blocks].map(({ offset }) => offset);

  it('are one behind another', () => {
    expect(offsets(blocksOf(file, {}))).toEqual([0, 8_192, 16_384]);
    expect(Buffer.concat([...blocksOf(file, {})].map(({ data }) => data))).toEqual(Buffer.from(file.bytes));
  });

  it('of a part stay in its bounds and in those of the file', () => {
    expect(offsets(blocksIn(file, { offset: 10_000, lengthBytes: 9_000 }))).toEqual([10_000, 18_192]);
    const [last] = blocksIn(file, { offset: 19_990, lengthBytes: 500 });
    expect(last?.data).toHaveLength(10);
    expect(offsets(blocksIn(file, { offset: 30_000, lengthBytes: 10 }))).toEqual([]);
  });

  it('are lost or come twice, where that is the quirk', () => {
    expect(offsets(blocksOf(file, { loseEveryBlock: 2 }))).toEqual([0, 16_384]);
    expect(offsets(blocksOf(file, { doubleEveryBlock: 3 }))).toEqual([0, 8_192, 16_384, 16_384]);
  });

  it('never end where that is the quirk', () => {
    const blocks = blocksOf(file, { isEndless: true });
    const first = Array.from({ length: 6 }, () => blocks.next().value?.offset);
    expect(first).toEqual([0, 8_192, 16_384, 20_000, 85_536, 151_072]);
  });
});
