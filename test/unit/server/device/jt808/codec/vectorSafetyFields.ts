// Active safety in the words of the vector file: alarms in positions, and the messages about their files.
import type { AlarmMark } from '../../../../../../server/device/jt808/codec/alarmMark.ts';
import type { BodyOf } from '../../../../../../server/device/jt808/codec/message.ts';
import type { PositionDetails } from '../../../../../../server/device/jt808/codec/positionItems.ts';
import { hexOf } from './vectors.ts';
import { bcd, type Fields, hex } from './vectorWords.ts';

type Alarm<Kind extends keyof PositionDetails> =
  NonNullable<PositionDetails[Kind]> extends readonly (infer One)[] ? One : never;
type AnyAlarm = Alarm<'adas' | 'driverMonitoring' | 'tyres' | 'blindSpot' | 'drivingStyle'>;

const markFields = (mark: AlarmMark): Fields => ({
  hex: hexOf(mark.bytes),
  terminal_id: mark.terminalId,
  time_bcd: bcd(mark.time),
  serial: mark.serial,
  files: mark.fileCount,
});

const commonFields = (alarm: AnyAlarm): Fields => ({
  alarm_id: alarm.alarmId,
  flag: alarm.flag,
  speed_kmh: alarm.speedKmh,
  altitude_m: alarm.altitudeMeters,
  lat: alarm.latitude,
  lon: alarm.longitude,
  time_bcd: bcd(alarm.time),
  vehicle_state: hex(alarm.vehicleState, 4),
  mark: markFields(alarm.mark),
});

/** Fields from the details of one item. */
export function safetyFields(details: PositionDetails): Fields {
  const [adas] = details.adas ?? [];
  const [driver] = details.driverMonitoring ?? [];
  const [tyres] = details.tyres ?? [];
  const [blindSpot] = details.blindSpot ?? [];
  const [style] = details.drivingStyle ?? [];
  return {
    ...(adas && adasFields(adas)),
    ...(driver && { ...levelled(driver), fatigue_degree: driver.fatigueDegree, ...commonFields(driver) }),
    ...(tyres && { ...commonFields(tyres), readings: tyres.readings.map(readingFields) }),
    ...(blindSpot && { type: blindSpot.type, ...commonFields(blindSpot) }),
    ...(style && styleFields(style)),
  };
}

const levelled = ({ type, level }: Alarm<'adas'> | Alarm<'driverMonitoring'>): Fields => ({ type, level });

const adasFields = (alarm: Alarm<'adas'>): Fields => ({
  ...levelled(alarm),
  ahead_speed_kmh: alarm.aheadSpeedKmh,
  headway_ms: alarm.headwayMs,
  side: alarm.side,
  sign_type: alarm.signType,
  sign_value: alarm.signValue,
  ...commonFields(alarm),
});

const readingFields = (reading: Alarm<'tyres'>['readings'][number]): Fields => ({
  tyre: reading.tyre,
  alarms: hex(reading.alarms, 4),
  pressure_kpa: reading.pressureKpa,
  celsius: reading.celsius,
  battery_percent: reading.batteryPercent,
});

const styleFields = (alarm: Alarm<'drivingStyle'>): Fields => ({
  type: alarm.type,
  duration_s: alarm.durationSeconds,
  threshold_1: alarm.threshold1,
  threshold_2: alarm.threshold2,
  ...commonFields(alarm),
});

const fileFields = (body: BodyOf<'attachmentFile' | 'attachmentFileDone'>): Fields => ({
  name: body.name,
  type: body.type,
  size: body.sizeBytes,
});

export const attachmentFields = {
  attachmentRequest: (body: BodyOf<'attachmentRequest'>): Fields => ({
    host: body.host,
    tcp_port: body.tcpPort,
    udp_port: body.udpPort,
    mark: markFields(body.mark),
    alarm_number: body.alarmNumber,
  }),
  attachmentList: (body: BodyOf<'attachmentList'>): Fields => ({
    terminal_id: body.terminalId,
    mark: markFields(body.mark),
    alarm_number: body.alarmNumber,
    upload_type: body.uploadType,
    files: body.files.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })),
  }),
  attachmentFile: fileFields,
  attachmentFileDone: fileFields,
  attachmentFileReply: (body: BodyOf<'attachmentFileReply'>): Fields => ({
    name: body.name,
    type: body.type,
    result: body.result,
    missing: body.missing.map(({ offset, lengthBytes }) => ({ offset, length: lengthBytes })),
  }),
};
