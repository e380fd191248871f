// What parameters mean: ids of 0x8103, 0x8106 and 0x0104, and the layouts of their values.
import type { Edition } from './codes.ts';
import {
  bytes,
  counted,
  digits,
  type Field,
  layout,
  restText,
  tryRead,
  u8,
  u16,
  u32,
  type Value,
  Writer,
} from './fields.ts';
import type { ParameterItem } from './messages/parameters.ts';

/** One video stream's settings. Resolution: 0 QCIF, 1 CIF, 2 WCIF, 3 D1, 4 WD1, 5 720p, 6 1080p. */
const streamFields = {
  /** 0 constant, 1 variable, 2 average bit rate. */
  mode: u8,
  resolution: u8,
  keyFrameInterval: u16,
  framesPerSecond: u8,
  bitRateKbps: u32,
};
const stream = layout(streamFields);

/** OSD bits: 0 time, 1 plate, 2 channel, 3 position, 4 recorder speed, 5 GNSS speed, 6 driving time. */
const avSettings = layout({ live: stream, stored: stream, osd: u16, audioOutput: u8 });

const channelSettings = layout({ channel: u8, live: stream, stored: stream, osd: u16 });

/** Type: 0 audio and video, 1 audio, 2 video. `ptz` 1: the camera can be turned. */
const channel = layout({ physicalChannel: u8, logicalChannel: u8, type: u8, ptz: u8 });

export interface ChannelTable {
  readonly audioVideo: readonly Value<typeof channel>[];
  readonly audio: readonly Value<typeof channel>[];
  readonly video: readonly Value<typeof channel>[];
}

/** The three counts stand in front of the three lists. */
const channelTable: Field<ChannelTable> = {
  read(from) {
    const counts = [u8.read(from), u8.read(from), u8.read(from)] as const;
    const [audioVideo, audio, video] = counts.map((count) => {
      const channels: Value<typeof channel>[] = [];
      while (channels.length < count && from.reason === undefined) channels.push(channel.read(from));
      return channels;
    });
    return { audioVideo: audioVideo ?? [], audio: audio ?? [], video: video ?? [] };
  },
  write(to, { audioVideo, audio, video }) {
    const lists = [audioVideo, audio, video];
    for (const list of lists) u8.write(to, list.length);
    for (const each of lists.flat()) channel.write(to, each);
  },
};

/** `hhmm` to wake and to sleep again. */
const wakeWindow = layout({ wake: digits(2), sleep: digits(2) });

const wakeUp = layout({
  /** Bits: 0 on a condition, 1 by timer, 2 by hand. */
  modes: u8,
  /** Bits: 0 emergency, 1 collision, 2 door. */
  conditions: u8,
  /** Bit 0: Monday. */
  weekdays: u8,
  /** Bit n: window n + 1 counts. */
  enabledWindows: u8,
  first: wakeWindow,
  second: wakeWindow,
  third: wakeWindow,
  fourth: wakeWindow,
});

/** Parameters by name, with the layout of their value. Ranges of ids and vendors' own stay bytes. */
export const Parameter = {
  heartbeatSeconds: { id: 0x0001, field: u32 },
  tcpTimeoutSeconds: { id: 0x0002, field: u32 },
  tcpRetransmissions: { id: 0x0003, field: u32 },
  udpTimeoutSeconds: { id: 0x0004, field: u32 },
  udpRetransmissions: { id: 0x0005, field: u32 },
  smsTimeoutSeconds: { id: 0x0006, field: u32 },
  smsRetransmissions: { id: 0x0007, field: u32 },
  mainApn: { id: 0x0010, field: restText },
  mainUser: { id: 0x0011, field: restText },
  mainPassword: { id: 0x0012, field: restText },
  /** 2019: `host:port`, several with semicolons between them. */
  mainServer: { id: 0x0013, field: restText },
  backupApn: { id: 0x0014, field: restText },
  backupUser: { id: 0x0015, field: restText },
  backupPassword: { id: 0x0016, field: restText },
  backupServer: { id: 0x0017, field: restText },
  /** 2013; reserved in 2019. */
  tcpPort: { id: 0x0018, field: u32 },
  udpPort: { id: 0x0019, field: u32 },
  /** 0 by time, 1 by distance, 2 both. */
  reportStrategy: { id: 0x0020, field: u32 },
  reportScheme: { id: 0x0021, field: u32 },
  reportLoggedOutSeconds: { id: 0x0022, field: u32 },
  reportSleepingSeconds: { id: 0x0027, field: u32 },
  reportEmergencySeconds: { id: 0x0028, field: u32 },
  reportDefaultSeconds: { id: 0x0029, field: u32 },
  reportDefaultMeters: { id: 0x002c, field: u32 },
  reportLoggedOutMeters: { id: 0x002d, field: u32 },
  reportSleepingMeters: { id: 0x002e, field: u32 },
  reportEmergencyMeters: { id: 0x002f, field: u32 },
  cornerDegrees: { id: 0x0030, field: u32 },
  fenceRadiusMeters: { id: 0x0031, field: u16 },
  platformPhone: { id: 0x0040, field: restText },
  alarmMask: { id: 0x0050, field: u32 },
  alarmSmsMask: { id: 0x0051, field: u32 },
  alarmPictureMask: { id: 0x0052, field: u32 },
  alarmPictureStoreMask: { id: 0x0053, field: u32 },
  keyAlarmMask: { id: 0x0054, field: u32 },
  maxSpeedKmh: { id: 0x0055, field: u32 },
  overspeedSeconds: { id: 0x0056, field: u32 },
  drivingLimitSeconds: { id: 0x0057, field: u32 },
  dailyDrivingLimitSeconds: { id: 0x0058, field: u32 },
  minRestSeconds: { id: 0x0059, field: u32 },
  maxParkingSeconds: { id: 0x005a, field: u32 },
  overspeedWarningDeciKmh: { id: 0x005b, field: u16 },
  fatigueWarningSeconds: { id: 0x005c, field: u16 },
  collision: { id: 0x005d, field: u16 },
  rolloverDegrees: { id: 0x005e, field: u16 },
  timedPicture: { id: 0x0064, field: u32 },
  distancePicture: { id: 0x0065, field: u32 },
  /** 1 the best, 10 the worst. */
  pictureQuality: { id: 0x0070, field: u32 },
  brightness: { id: 0x0071, field: u32 },
  contrast: { id: 0x0072, field: u32 },
  saturation: { id: 0x0073, field: u32 },
  hue: { id: 0x0074, field: u32 },
  avSettings: { id: 0x0075, field: avSettings },
  channelTable: { id: 0x0076, field: channelTable },
  channelSettings: { id: 0x0077, field: counted(u8, channelSettings) },
  alarmRecording: { id: 0x0079, field: layout({ storagePercent: u8, minutes: u8, preRecordMinutes: u8 }) },
  videoAlarmMask: { id: 0x007a, field: u32 },
  imageAnalysis: { id: 0x007b, field: layout({ passengerLimit: u8, fatigueThreshold: u8 }) },
  wakeUp: { id: 0x007c, field: wakeUp },
  odometerDecikilometers: { id: 0x0080, field: u32 },
  province: { id: 0x0081, field: u16 },
  city: { id: 0x0082, field: u16 },
  plate: { id: 0x0083, field: restText },
  plateColour: { id: 0x0084, field: u8 },
  /** Bits: 0 GPS, 1 BeiDou, 2 GLONASS, 3 Galileo. */
  gnssSystems: { id: 0x0090, field: u8 },
  gnssBaud: { id: 0x0091, field: u8 },
  gnssOutput: { id: 0x0092, field: u8 },
  gnssSamplingSeconds: { id: 0x0093, field: u32 },
  gnssUploadMode: { id: 0x0094, field: u8 },
  gnssUploadValue: { id: 0x0095, field: u32 },
  can1SamplingMs: { id: 0x0100, field: u32 },
  can1UploadSeconds: { id: 0x0101, field: u16 },
  can2SamplingMs: { id: 0x0102, field: u32 },
  can2UploadSeconds: { id: 0x0103, field: u16 },
  /** 2019: `hhmm` to `hhmm` in which driving is forbidden. */
  forbiddenDriving: { id: 0x0032, field: bytes(4) },
} as const;
export type ParameterName = keyof typeof Parameter;
export type ParameterValue<Name extends ParameterName> = Value<(typeof Parameter)[Name]['field']>;

/**
 * The value of a parameter in a terminal's answer; undefined where it is missing or is no value of that layout to its
 * last byte. Of several with one id the last counts.
 */
export function parameterValue<Name extends ParameterName>(
  items: readonly ParameterItem[],
  name: Name,
  edition: Edition,
): ParameterValue<Name> | undefined {
  const { id, field } = Parameter[name];
  const item = items.findLast((each) => each.id === id);
  if (item === undefined) return undefined;
  const read = tryRead<unknown>(field, item.value, edition);
  // The name chose the field, and with it the type.
  return read?.left === 0 ? (read.value as ParameterValue<Name>) : undefined;
}

/** An item for setParameters. Throws a RangeError for values that do not fit: they are the caller's own. */
export function parameterItem<Name extends ParameterName>(
  name: Name,
  value: ParameterValue<Name>,
  edition: Edition,
): ParameterItem {
  const to = new Writer(edition);
  const field: Field<unknown> = Parameter[name].field;
  field.write(to, value);
  return { id: Parameter[name].id, value: to.finish() };
}
