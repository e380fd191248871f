// JT/T 1078: the terminal's codecs, and live video.
import { countedText, layout, localTime, u8, u16, type Value } from '../fields.ts';

/** 0x9101 data type. */
export const LiveDataType = { AudioVideo: 0, Video: 1, Talk: 2, Listen: 3, Broadcast: 4, Passthrough: 5 } as const;
/** 0x9101 and 0x9102 stream. Queries and playback count from 1 instead: RecordedStream. */
export const LiveStream = { Main: 0, Sub: 1 } as const;
/** 0x9102 command. */
export const LiveCommand = { Close: 0, SwitchStream: 1, Pause: 2, Resume: 3, CloseTalk: 4 } as const;
/** 0x9102 close type. */
export const LiveCloseType = { All: 0, Audio: 1, Video: 2 } as const;

/** 0x1003. Codecs: PayloadType. */
const avAttributes = layout({
  audioCodec: u8,
  audioChannels: u8,
  /** 0: 8, 1: 22.05, 2: 44.1, 3: 48 kHz. */
  sampleRate: u8,
  /** 0: 8, 1: 16, 2: 32 bits. */
  sampleBits: u8,
  audioFrameBytes: u16,
  /** 1: the terminal can play sound. */
  audioOutput: u8,
  videoCodec: u8,
  maxAudioChannels: u8,
  maxVideoChannels: u8,
});
export type AvAttributes = Value<typeof avAttributes>;

/** 0x9101. A port of 0: not that transport. */
const liveRequest = layout({
  host: countedText(u8),
  tcpPort: u16,
  udpPort: u16,
  channel: u8,
  dataType: u8,
  stream: u8,
});
export type LiveRequest = Value<typeof liveRequest>;

/** 0x9102. `stream` counts with the command to switch. */
const liveControl = layout({ channel: u8, command: u8, closeType: u8, stream: u8 });
export type LiveControl = Value<typeof liveControl>;

export const liveMessages = {
  avAttributes,
  passengerFlow: layout({ start: localTime, end: localTime, boarded: u16, alighted: u16 }),
  liveRequest,
  liveControl,
  liveStatus: layout({ channel: u8, lossPercent: u8 }),
};
