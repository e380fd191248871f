// JT/T 1078: recordings on the terminal, their playback and their upload.
import { countedText, type Field, layout, localTime, u8, u16, u32, type Value } from '../fields.ts';

/** Stream in queries, items and playback; live requests count from 0 instead. */
export const RecordedStream = { Any: 0, Main: 1, Sub: 2 } as const;
export const RecordedMedia = { AudioVideo: 0, Audio: 1, Video: 2, VideoOrAudioVideo: 3 } as const;
export const RecordedStorage = { Any: 0, Main: 1, Backup: 2 } as const;
/** 0x9201 mode. */
export const PlaybackMode = { Normal: 0, FastForward: 1, KeyFrameRewind: 2, KeyFrames: 3, SingleFrame: 4 } as const;
/** 0x9202 command. 0 goes back to normal speed. */
export const PlaybackCommand = {
  Start: 0,
  Pause: 1,
  End: 2,
  FastForward: 3,
  KeyFrameRewind: 4,
  Seek: 5,
  KeyFrames: 6,
} as const;

/** The wire's code of a speed: 1, 2, 4, 8, 16 are 1 to 5, and 0 stands for no speed. Undefined: there is no code for the speed. */
export function playbackSpeedCode(speed: number): number | undefined {
  const code = Math.log2(speed) + 1;
  return Number.isInteger(code) && code >= 1 && code <= 5 ? code : undefined;
}

/** One big-endian number of 64 bits: the video alarms (VideoAlarmBit) are its high half, the alarm word its low one. */
const alarmFields = { videoAlarms: u32, alarms: u32 };

/** Times undefined: no limit. Alarms of 0: any. */
const recordedRange = {
  channel: u8,
  start: localTime,
  end: localTime,
  ...alarmFields,
  media: u8,
  stream: u8,
  storage: u8,
};

const queryResources = layout(recordedRange);

const resourceItem = layout({ ...recordedRange, sizeBytes: u32 });
export type ResourceItem = Value<typeof resourceItem>;

interface Resources {
  readonly replySerial: number;
  /** Items in the whole answer, as the terminal counts them; they end with the body whatever this says. */
  readonly total: number;
  readonly items: readonly ResourceItem[];
}

const RESOURCE_ITEM_BYTES = 28;

const resources: Field<Resources> = {
  read(from) {
    const replySerial = u16.read(from);
    const total = u32.read(from);
    const items: ResourceItem[] = [];
    while (from.remaining >= RESOURCE_ITEM_BYTES) items.push(resourceItem.read(from));
    return { replySerial, total, items };
  },
  write(to, value) {
    u16.write(to, value.replySerial);
    u32.write(to, value.total);
    for (const item of value.items) resourceItem.write(to, item);
  },
};

const playbackRequest = layout({
  host: countedText(u8),
  tcpPort: u16,
  udpPort: u16,
  channel: u8,
  media: u8,
  stream: u8,
  storage: u8,
  mode: u8,
  /** playbackSpeedCode, for fast forward and rewind; else 0. */
  speed: u8,
  start: localTime,
  /** Undefined: to the end. */
  end: localTime,
});

/** `speed`: playbackSpeedCode, else 0. `position`: for Seek and KeyFrames. */
const playbackControl = layout({ channel: u8, command: u8, speed: u8, position: localTime });

const fileUpload = layout({
  host: countedText(u8),
  port: u16,
  user: countedText(u8),
  password: countedText(u8),
  /** A folder; each request needs its own, since terminals choose the names of their files. */
  path: countedText(u8),
  ...recordedRange,
  /** Bits: 0 Wi-Fi, 1 LAN, 2 mobile network. */
  condition: u8,
});

export const recordingMessages = {
  queryResources,
  resources,
  playbackRequest,
  playbackControl,
  fileUpload,
  /** Result: 0 done, 1 failed. */
  fileUploadDone: layout({ replySerial: u16, result: u8 }),
  /** `uploadSerial`: the serial of the 0x9206. Command: 0 pause, 1 continue, 2 cancel. */
  fileUploadControl: layout({ uploadSerial: u16, command: u8 }),
};
