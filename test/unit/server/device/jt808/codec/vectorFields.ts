// Decoded bodies in the words of the vector file, so that each of its fields is compared and none is left out.
import type { BodyOf, MessageBody } from '../../../../../../server/device/jt808/codec/message.ts';
import type {
  BasicPosition,
  Position,
  PositionItem,
} from '../../../../../../server/device/jt808/codec/messages/position.ts';
import { positionDetails } from '../../../../../../server/device/jt808/codec/positionItems.ts';
import { attachmentFields, safetyFields } from './vectorSafetyFields.ts';
import { hexOf, sha1 } from './vectors.ts';
import { bcd, type Fields, hex } from './vectorWords.ts';

type FieldsOf = { readonly [Kind in MessageBody['kind']]: (body: BodyOf<Kind>) => Fields };

const withoutKind = ({ kind: _, ...rest }: MessageBody): Fields => ({ ...rest });

function basicFields(position: BasicPosition): Fields {
  return {
    alarm: hex(position.alarm, 8),
    status: hex(position.status, 8),
    lat_raw: Math.round(Math.abs(position.latitude) * 1e6),
    lon_raw: Math.round(Math.abs(position.longitude) * 1e6),
    lat: position.latitude,
    lon: position.longitude,
    acc: position.status & 1,
    fixed: (position.status >> 1) & 1,
    altitude_m: position.altitudeMeters,
    speed_kmh: position.speedKmh,
    course: position.direction,
    time_bcd: bcd(position.time),
  };
}

const positionFields = (position: Position): Fields => ({
  ...basicFields(position),
  extras: position.items.map((item) => itemFields(item, position.status)),
});

function itemFields(item: PositionItem, status: number): Fields {
  const { id, value } = item;
  const details = positionDetails([item], status);
  const [ad0, ad1] = details.analogue ?? [];
  const bits = details.videoAlarms ?? details.videoLostBits ?? details.videoCoveredBits;
  const named = {
    mileage_km: details.mileageKm,
    fuel_l: details.fuelLitres,
    recorder_speed_kmh: details.recorderSpeedKmh,
    alarm_event_id: details.alarmEventId,
    area_type: details.overspeed?.areaType ?? details.areaCrossed?.areaType,
    area_id: details.overspeed?.areaId ?? details.areaCrossed?.areaId,
    direction: details.areaCrossed && Number(details.areaCrossed.isLeaving),
    section_id: details.sectionTime?.sectionId,
    seconds: details.sectionTime?.seconds,
    result: details.sectionTime && Number(details.sectionTime.isTooLong),
    bits: bits === undefined ? details.storageFaultBits && hex(details.storageFaultBits, 4) : hex(bits, 8),
    type_bits: details.abnormalDriving && hex(details.abnormalDriving.types, 4),
    fatigue: details.abnormalDriving?.fatigue,
    signal_bits: details.signalBits === undefined ? undefined : hex(details.signalBits, 8),
    io_bits: details.ioBits === undefined ? undefined : hex(details.ioBits, 4),
    ad0,
    ad1,
    signal: details.radioSignal,
    satellites: details.satellites,
  };
  if (details.storageFaultBits !== undefined) named.bits = hex(details.storageFaultBits, 4);
  const present = Object.entries(named).filter(([, each]) => each !== undefined);
  const alarms = safetyFields(details);
  return { id: hex(id, 2), len: value.length, hex: hexOf(value), ...Object.fromEntries(present), ...alarms };
}

const parameterFields = (items: BodyOf<'setParameters'>['items']): Fields[] =>
  items.map(({ id, value }) => ({ id: hex(id, 8), len: value.length, hex: hexOf(value) }));

interface Range {
  readonly channel: number;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly videoAlarms: number;
  readonly alarms: number;
  readonly media: number;
  readonly stream: number;
  readonly storage: number;
}

const rangeFields = (range: Range): Fields => ({
  channel: range.channel,
  start_bcd: bcd(range.start),
  end_bcd: bcd(range.end),
  alarm64: hex(range.videoAlarms, 8).slice(2) + hex(range.alarms, 8).slice(2),
  media_type: range.media,
  stream: range.stream,
  storage: range.storage,
});

type Rules = BodyOf<'setPolygon'> | BodyOf<'setCircles'>['areas'][number] | BodyOf<'setRectangles'>['areas'][number];

const limitFields = (limit: Rules['speedLimit']): Fields => ({
  ...(limit && { max_speed: limit.maxSpeedKmh, overspeed_s: limit.durationSeconds }),
  ...(limit?.nightMaxSpeedKmh !== undefined && { night_max_speed: limit.nightMaxSpeedKmh }),
});

const ruleFields = (rules: Rules): Fields => ({
  id: rules.id,
  attr: hex(rules.attributes, 4),
  ...(rules.window && { start_bcd: rules.window.start, end_bcd: rules.window.end }),
  ...limitFields(rules.speedLimit),
  ...(rules.name !== undefined && { name: rules.name }),
});

const replyFields = (reply: BodyOf<'platformGeneralReply' | 'terminalGeneralReply'>): Fields => ({
  reply_serial: reply.replySerial,
  reply_id: hex(reply.replyId, 4),
  result: reply.result,
});

const resendFields = (body: BodyOf<'terminalResendRequest' | 'platformResendRequest'>): Fields => ({
  original_first_serial: body.firstSerial,
  count: body.numbers.length,
  package_ids: body.numbers,
});

const none = (): Fields => ({});
const idFields = ({ ids }: { readonly ids: readonly number[] }): Fields => ({ count: ids.length, ids });
const dataFields = ({ data }: { readonly data: Uint8Array }): Fields => ({
  length: data.length,
  data_hex: hexOf(data),
});
const passFields = ({ type, data }: BodyOf<'passthroughUp' | 'passthroughDown'>): Fields => ({
  type: hex(type, 2),
  data_hex: hexOf(data),
});
const keyFields = (key: BodyOf<'platformRsaKey' | 'terminalRsaKey'>): Fields => ({
  e: key.exponent,
  n_hex: hexOf(key.modulus),
});
const recorderFields = (body: BodyOf<'recorderQuery' | 'recorderSettings'>): Fields => ({
  command: body.command,
  data_hex: hexOf(body.data),
});
const ptzFields = ({ channel, value }: { readonly channel: number; readonly value: number }): Fields => ({
  channel,
  value,
});

const searchFields = (body: BodyOf<'searchMedia' | 'uploadStoredMedia'>): Fields => ({
  type: body.type,
  channel: body.channel,
  event: body.event,
  start_bcd: bcd(body.start),
  end_bcd: bcd(body.end),
});

const mediaFields = (body: BodyOf<'mediaEvent' | 'mediaUpload'>): Fields => ({
  media_id: body.mediaId,
  type: body.type,
  format: body.format,
  event: body.event,
  channel: body.channel,
});

const FIELDS: FieldsOf = {
  ...attachmentFields,
  unknown: withoutKind,
  part: ({ bytes }) => ({ fragment_len: bytes.length, fragment_sha1: sha1(bytes) }),
  encrypted: ({ bytes }) => ({ encrypted_body_hex: hexOf(bytes) }),
  terminalGeneralReply: replyFields,
  platformGeneralReply: replyFields,
  heartbeat: none,
  logout: none,
  linkCheck: none,
  timeQuery: none,
  vendorTimeQuery: none,
  queryParameters: none,
  queryAttributes: none,
  queryPosition: none,
  queryDriver: none,
  queryAvAttributes: none,
  timeReply: ({ time }) => ({ utc_bcd: bcd(time, 0) }),
  vendorTimeReply: withoutKind,
  terminalResendRequest: resendFields,
  platformResendRequest: resendFields,
  terminalRsaKey: keyFields,
  platformRsaKey: keyFields,
  registration: (body) => ({
    province: body.province,
    city: body.city,
    ...(body.layout === '2011' && { layout: body.layout }),
    manufacturer: body.manufacturer,
    model: body.model,
    terminal_id: body.terminalId,
    plate_color: body.plateColour,
    plate: body.plate,
  }),
  registrationReply: (body) => ({
    reply_serial: body.replySerial,
    result: body.result,
    ...(body.code !== undefined && { auth_code: body.code }),
  }),
  authentication: (body) => ({
    auth_code: body.code,
    ...(body.imei !== undefined && { imei: body.imei, software_version: body.softwareVersion }),
  }),
  setParameters: ({ items }) => ({ count: items.length, params: parameterFields(items) }),
  parametersReply: ({ replySerial, count, items }) => ({
    reply_serial: replySerial,
    count,
    params: parameterFields(items),
  }),
  querySomeParameters: ({ ids }) => ({ count: ids.length, ids: ids.map((id) => hex(id, 8)) }),
  terminalControl: ({ command, parameter }) => ({ command, ...(parameter !== '' && { parameter }) }),
  attributesReply: (body) => ({
    terminal_type: hex(body.terminalType, 4),
    manufacturer: body.manufacturer,
    model: body.model,
    terminal_id: body.terminalId,
    iccid_hex: body.iccid,
    hw_version: body.hardwareVersion,
    fw_version: body.firmwareVersion,
    gnss: hex(body.gnss, 2),
    comm: hex(body.communication, 2),
    layout: body.layout,
  }),
  upgradePackage: ({ type, manufacturer, version, data }) => ({
    type,
    manufacturer,
    version,
    data_len: data.length,
    data_hex: hexOf(data),
  }),
  upgradeResult: withoutKind,
  position: positionFields,
  positionReply: (body) => ({ ...positionFields(body), reply_serial: body.replySerial }),
  vehicleControlReply: (body) => ({ ...positionFields(body), reply_serial: body.replySerial }),
  bulkPositions: ({ type, positions, brokenItems }) => ({
    count: positions.length + brokenItems,
    type,
    items: positions.map(positionFields),
  }),
  trackControl: (body) => ({ interval_s: body.intervalSeconds, valid_s: body.validSeconds }),
  confirmAlarm: (body) => ({ alarm_serial: body.alarmSerial, types: hex(body.types, 8) }),
  text: ({ flags, textType, text }) => ({
    flags: hex(flags, 2),
    ...(textType !== undefined && { text_type: textType }),
    text,
  }),
  eventSet: ({ type, events }) => ({
    type,
    count: events.length,
    items: events.map((event) => ({ event_id: event.id, content: event.text })),
  }),
  eventReport: ({ id }) => ({ event_id: id }),
  question: ({ flags, question, answers }) => ({ flags: hex(flags, 2), question, answers }),
  questionAnswer: (body) => ({ reply_serial: body.replySerial, answer_id: body.answerId }),
  informationMenu: ({ type, items }) => ({
    type,
    count: items.length,
    items: items.map((item) => ({ info_type: item.type, name: item.name })),
  }),
  informationDemand: ({ type, demand }) => ({ info_type: type, flag: demand }),
  informationService: ({ type, text }) => ({ info_type: type, content: text }),
  callBack: ({ listen, phone }) => ({ flag: listen, phone }),
  phoneBook: ({ type, contacts }) => ({
    type,
    count: contacts.length,
    items: contacts.map(({ use, phone, name }) => ({ flag: use, phone, contact: name })),
  }),
  vehicleControl: ({ control }) => (control.form === 'flags' ? { flag: hex(control.flags, 2) } : { ...control }),
  setCircles: ({ action, areas }) => ({
    action,
    count: areas.length,
    items: areas.map((area) => ({
      ...ruleFields(area),
      lat_raw: area.latitude,
      lon_raw: area.longitude,
      radius_m: area.radiusMeters,
    })),
  }),
  setRectangles: ({ action, areas }) => ({
    action,
    count: areas.length,
    items: areas.map((area) => ({
      ...ruleFields(area),
      lt_lat_raw: area.top,
      lt_lon_raw: area.left,
      rb_lat_raw: area.bottom,
      rb_lon_raw: area.right,
    })),
  }),
  setPolygon: (area) => ({
    ...ruleFields(area),
    vertices: area.vertices.map(({ latitude, longitude }) => [latitude, longitude]),
  }),
  setRoute: (route) => ({
    id: route.id,
    attr: hex(route.attributes, 4),
    ...(route.window && { start_bcd: route.window.start, end_bcd: route.window.end }),
    ...(route.name !== undefined && { name: route.name }),
    points: route.points.map((point) => ({
      point_id: point.id,
      section_id: point.sectionId,
      lat_raw: point.latitude,
      lon_raw: point.longitude,
      width_m: point.widthMeters,
      attr: hex(point.attributes, 2),
      ...(point.times && { max_s: point.times.maxSeconds, min_s: point.times.minSeconds }),
      ...limitFields(point.speedLimit),
    })),
  }),
  deleteCircles: idFields,
  deleteRectangles: idFields,
  deletePolygons: idFields,
  deleteRoutes: idFields,
  queryAreas: ({ type, ids }) => ({ type, count: ids.length, ids }),
  areasReply: ({ type, count, data }) => ({ type, count, data_hex: hexOf(data) }),
  recorderQuery: recorderFields,
  recorderSettings: recorderFields,
  recorderData: ({ replySerial, command, data }) => ({ reply_serial: replySerial, command, data_hex: hexOf(data) }),
  waybill: dataFields,
  compressedUp: dataFields,
  passthroughUp: passFields,
  passthroughDown: passFields,
  driverIdentity: ({ status, time, readResult, card }) => ({
    status,
    time_bcd: bcd(time),
    ...(readResult !== undefined && { read_result: readResult }),
    ...(card && { name: card.name, licence: card.licence, issuer: card.issuer, valid_until_bcd: card.validUntil }),
    ...(card?.identityCard !== undefined && { id_card: card.identityCard }),
  }),
  canData: ({ receivedAt, items }) => ({
    count: items.length,
    time_bcd: receivedAt,
    items: items.map(({ id, data }) => ({ can_id: hex(id, 8), data: hexOf(data) })),
  }),
  mediaEvent: mediaFields,
  mediaUpload: (body) => ({
    ...mediaFields(body),
    location: basicFields(body.position),
    data_len: body.data.length,
    data_hex: hexOf(body.data),
  }),
  mediaUploadReply: ({ mediaId, missing }) => ({
    media_id: mediaId,
    ...(missing.length > 0 && { count: missing.length, package_ids: missing }),
  }),
  takePicture: ({
    channel,
    command,
    seconds,
    save,
    resolution,
    quality,
    brightness,
    contrast,
    saturation,
    chroma,
  }) => ({
    channel,
    command,
    interval_s: seconds,
    save,
    resolution,
    quality,
    brightness,
    contrast,
    saturation,
    chroma,
  }),
  takePictureReply: ({ replySerial, result, mediaIds }) => ({
    reply_serial: replySerial,
    result,
    count: mediaIds.length,
    ids: mediaIds,
  }),
  searchMedia: searchFields,
  searchMediaReply: ({ replySerial, items }) => ({
    reply_serial: replySerial,
    count: items.length,
    items: items.map(({ mediaId, type, channel, event, position }) => ({
      media_id: mediaId,
      type,
      channel,
      event,
      location: basicFields(position),
    })),
  }),
  uploadStoredMedia: (body) => ({ ...searchFields(body), delete: body.remove }),
  uploadOneMedia: ({ mediaId, remove }) => ({ media_id: mediaId, delete: remove }),
  recordAudio: ({ command, seconds, save, rate }) => ({ command, seconds, save, sample_rate: rate }),
  avAttributes: (body) => ({
    audio_codec: body.audioCodec,
    audio_channels: body.audioChannels,
    sample_rate: body.sampleRate,
    sample_bits: body.sampleBits,
    audio_frame_len: body.audioFrameBytes,
    audio_output: body.audioOutput,
    video_codec: body.videoCodec,
    max_audio_ch: body.maxAudioChannels,
    max_video_ch: body.maxVideoChannels,
  }),
  passengerFlow: ({ start, end, boarded, alighted }) => ({
    start_bcd: bcd(start),
    end_bcd: bcd(end),
    on: boarded,
    off: alighted,
  }),
  liveRequest: ({ host, tcpPort, udpPort, channel, dataType, stream }) => ({
    ip: host,
    tcp_port: tcpPort,
    udp_port: udpPort,
    channel,
    data_type: dataType,
    stream,
  }),
  liveControl: ({ channel, command, closeType, stream }) => ({ channel, command, close_type: closeType, stream }),
  liveStatus: ({ channel, lossPercent }) => ({ channel, loss: lossPercent }),
  queryResources: rangeFields,
  resources: ({ replySerial, total, items }) => ({
    reply_serial: replySerial,
    total,
    items: items.map((item) => ({ ...rangeFields(item), size: item.sizeBytes })),
  }),
  playbackRequest: (body) => ({
    ip: body.host,
    tcp_port: body.tcpPort,
    udp_port: body.udpPort,
    channel: body.channel,
    media_type: body.media,
    stream: body.stream,
    storage: body.storage,
    mode: body.mode,
    speed: body.speed,
    start_bcd: bcd(body.start),
    end_bcd: bcd(body.end),
  }),
  playbackControl: ({ channel, command, speed, position }) => ({
    channel,
    command,
    speed,
    position_bcd: bcd(position),
  }),
  fileUpload: (body) => ({
    host: body.host,
    port: body.port,
    user: body.user,
    password: body.password,
    path: body.path,
    ...rangeFields(body),
    condition: hex(body.condition, 2),
  }),
  fileUploadDone: ({ replySerial, result }) => ({ reply_serial: replySerial, result }),
  fileUploadControl: ({ uploadSerial, command }) => ({ reply_serial: uploadSerial, command }),
  ptzRotate: withoutKind,
  ptzFocus: ptzFields,
  ptzIris: ptzFields,
  ptzZoom: ptzFields,
  ptzWiper: ptzFields,
  ptzInfrared: ptzFields,
};

/** The body's fields under the names of the vector file. */
export function vectorFields(body: MessageBody): Fields {
  // Each kind's function takes that kind's body; the table keeps both together.
  const fieldsOf = FIELDS[body.kind] as (body: MessageBody) => Fields;
  return fieldsOf(body);
}
