// The files that a terminal has of its active-safety alarms. They are made on request, since it is known what every camera saw at
// any moment.
import type { AlarmMark } from '../../server/device/jt808/codec/alarmMark.ts';
import { AttachmentType } from '../../server/device/jt808/codec/messages/attachments.ts';
import type { Clip } from '../clip/loadClip.ts';
import type { TerminalQuirks } from '../quirks.ts';
import { alarmTypeCode } from '../script/safetyItems.ts';
import type { AlarmFilePlan, SafetyStep } from '../script/vehicleScript.ts';
import { alarmClip } from './alarmClip.ts';
import { storedSnapshot } from './snapshot.ts';

export interface AlarmFile {
  readonly name: string;
  readonly type: (typeof AttachmentType)[keyof typeof AttachmentType];
  readonly bytes: Uint8Array;
}

export interface AlarmFilesOptions {
  readonly clipOf: (channel: number) => Clip | undefined;
  readonly quirks: TerminalQuirks | undefined;
}

interface KeptAlarm {
  readonly plan: AlarmFilePlan;
  readonly typeCode: string;
  readonly atMs: number;
}

/** Maximum number of alarms; beyond it, the files of the oldest alarm are overwritten. */
const MAX_ALARMS = 100;
const PICTURE_INTERVAL_MS = 1_000;

export class AlarmFiles {
  readonly #options: AlarmFilesOptions;
  /** Keyed by mark. */
  readonly #alarms = new Map<string, KeptAlarm>();

  constructor(options: AlarmFilesOptions) {
    this.#options = options;
  }

  keep(mark: AlarmMark, { alarm, files }: SafetyStep, atMs: number): void {
    if (files === undefined) return;
    this.#alarms.set(keyOf(mark), { plan: files, typeCode: alarmTypeCode(alarm), atMs });
    const [oldest] = this.#alarms.keys();
    if (this.#alarms.size > MAX_ALARMS && oldest !== undefined) this.#alarms.delete(oldest);
  }

  /** False for an alarm that the terminal does not know or no longer knows. */
  has(mark: Pick<AlarmMark, 'bytes'>): boolean {
    return this.#alarms.has(keyOf(mark));
  }

  files(mark: Pick<AlarmMark, 'bytes'>, alarmNumber: string): AlarmFile[] {
    const alarm = this.#alarms.get(keyOf(mark));
    if (alarm === undefined) return [];
    const { plan, atMs } = alarm;
    const nameOf = (type: number, index: number, extension: string): string =>
      `${fileName(type, alarm, index)}_${alarmNumber}.${extension}`;
    const pictures = Array.from({ length: plan.pictures }, (_, index) => ({
      name: nameOf(AttachmentType.Picture, index, 'jpg'),
      type: AttachmentType.Picture,
      bytes: storedSnapshot({ channel: plan.channel, atMs: atMs + index * PICTURE_INTERVAL_MS }, this.#options.quirks),
    }));
    const clip = plan.videoSeconds > 0 ? this.#options.clipOf(plan.channel) : undefined;
    if (clip === undefined) return pictures;
    const aroundMs = plan.videoSeconds * 1000;
    const bytes = alarmClip(clip, { startMs: atMs - aroundMs, endMs: atMs + aroundMs });
    const name = nameOf(AttachmentType.Video, pictures.length, 'mp4');
    return [...pictures, { name, type: AttachmentType.Video, bytes }];
  }
}

function keyOf({ bytes }: Pick<AlarmMark, 'bytes'>): string {
  return Buffer.from(bytes).toString('hex');
}

/** The file name by T/JSATL 12: file type, channel, type of the alarm, number; with an alarm number of 32 bytes at most 50 bytes in all. */
function fileName(type: number, { plan, typeCode }: KeptAlarm, index: number): string {
  return `0${type}_${plan.channel}_${typeCode}_${index}`;
}
