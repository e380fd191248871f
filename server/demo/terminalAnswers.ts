// What a simulated terminal says of itself when it is asked.
import type { MessageBody } from '../device/jt808/codec/message.ts';
import type { AvAttributes } from '../device/jt808/codec/messages/live.ts';
import type { ParameterItem } from '../device/jt808/codec/messages/parameters.ts';
import { parameterItem } from '../device/jt808/codec/parameterValues.ts';
import { PayloadType } from '../device/jt1078/codec/payloadTypes.ts';
import { wireChannel } from './channelQuirks.ts';
import { SAMPLES_PER_CHUNK } from './clip/tone.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

export const DEFAULT_HEARTBEAT_SECONDS = 30;
/** Behind the standard's ids: what makes an answer long enough for packages, as the dumps of real terminals are. */
const VENDOR_PARAMETERS = 12;
const FIRST_VENDOR_ID = 0xf000;
const VENDOR_BYTES = 100;

/** Undefined for what is no question to the terminal itself. */
export function answerTo(question: MessageBody, replySerial: number, profile: VehicleProfile): MessageBody | undefined {
  switch (question.kind) {
    case 'queryParameters':
      return parametersReply(replySerial, [...parametersOf(profile), ...vendorParameters()]);
    case 'querySomeParameters': {
      const wanted = new Set(question.ids);
      return parametersReply(
        replySerial,
        parametersOf(profile).filter((item) => wanted.has(item.id)),
      );
    }
    case 'queryAvAttributes':
      return { kind: 'avAttributes', ...avAttributesOf(profile) };
    case 'queryAttributes':
      return attributesOf(profile);
    default:
      return undefined;
  }
}

function parametersReply(replySerial: number, items: readonly ParameterItem[]): MessageBody {
  return { kind: 'parametersReply', replySerial, count: items.length, items, tail: new Uint8Array(0) };
}

function parametersOf({
  edition,
  channels,
  ptzChannels = [],
  heartbeatSeconds,
  plate,
  quirks,
}: VehicleProfile): ParameterItem[] {
  const audioVideo = Array.from({ length: channels }, (_, index) => ({
    physicalChannel: index + 1,
    logicalChannel: wireChannel(index + 1, quirks),
    type: 0,
    ptz: ptzChannels.includes(index + 1) ? 1 : 0,
  }));
  return [
    parameterItem('heartbeatSeconds', heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS, edition),
    parameterItem('channelTable', { audioVideo, audio: [], video: [] }, edition),
    parameterItem('plate', plate, edition),
  ];
}

function vendorParameters(): ParameterItem[] {
  return Array.from({ length: VENDOR_PARAMETERS }, (_, index) => ({
    id: FIRST_VENDOR_ID + index,
    value: new Uint8Array(VENDOR_BYTES).fill(index),
  }));
}

function avAttributesOf({ channels, quirks }: VehicleProfile): AvAttributes {
  return {
    audioCodec: quirks?.audio === 'µ-law' ? PayloadType.G711U : PayloadType.G711A,
    audioChannels: 1,
    sampleRate: 0,
    sampleBits: 1,
    audioFrameBytes: SAMPLES_PER_CHUNK,
    audioOutput: 1,
    videoCodec: PayloadType.H264,
    maxAudioChannels: 1,
    maxVideoChannels: channels,
  };
}

function attributesOf({ edition, number }: VehicleProfile): MessageBody {
  return {
    kind: 'attributesReply',
    layout: edition === '2019' ? '5/30/30' : '5/20/7',
    terminalType: 1,
    manufacturer: 'FLGLS',
    model: 'Simulator',
    terminalId: number.slice(-7),
    iccid: number.padStart(20, '0'),
    hardwareVersion: 'S1',
    firmwareVersion: '1.0',
    gnss: 3,
    communication: 32,
  };
}
