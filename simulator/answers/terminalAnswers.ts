// What a simulated terminal reports about itself when it is asked, and whether it obeys.
import { GeneralResult, MessageId } from '../../server/device/jt808/codec/codes.ts';
import { type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import type { AvAttributes } from '../../server/device/jt808/codec/messages/live.ts';
import type { ParameterItem } from '../../server/device/jt808/codec/messages/parameters.ts';
import { PayloadType } from '../../server/device/jt1078/codec/payloadTypes.ts';
import { SAMPLES_PER_CHUNK } from '../clip/tone.ts';
import { hardwareOf, terminalIdOf, type VehicleProfile } from '../vehicleProfile.ts';
import type { ParameterTable } from './parameterTable.ts';

export interface AnsweringTerminal {
  readonly profile: VehicleProfile;
  readonly parameters: Pick<ParameterTable, 'all' | 'some'>;
  /** The installed version. */
  readonly firmwareVersion: string;
}

/** The answer to a question; undefined for a message that does not ask the terminal itself. */
export function answerTo(
  question: MessageBody,
  replySerial: number,
  { profile, parameters, firmwareVersion }: AnsweringTerminal,
): MessageBody | undefined {
  switch (question.kind) {
    case 'queryParameters':
      return parametersReply(replySerial, parameters.all);
    case 'querySomeParameters':
      return parametersReply(replySerial, parameters.some(question.ids));
    case 'queryAvAttributes':
      return { kind: 'avAttributes', ...avAttributesOf(profile) };
    case 'queryAttributes':
      return attributesOf(profile, firmwareVersion);
    default:
      return undefined;
  }
}

/** The result for an order that requires no action. */
export function generalResultOf(order: MessageBody, { ptzChannels = [] }: VehicleProfile): GeneralResult {
  switch (order.kind) {
    case 'ptzRotate':
    case 'ptzFocus':
    case 'ptzIris':
    case 'ptzZoom':
    case 'ptzWiper':
    case 'ptzInfrared':
      return ptzChannels.includes(order.channel) ? GeneralResult.Ok : GeneralResult.NotSupported;
    case 'linkCheck':
      return GeneralResult.Ok;
    default:
      return GeneralResult.NotSupported;
  }
}

/** The result with which the terminal refuses an order, if that is its quirk; for an image, it refuses each of its packages. */
export function refusalOf(order: MessageBody, { quirks }: VehicleProfile): GeneralResult | undefined {
  const refusals: Readonly<Partial<Record<MessageBody['kind'], GeneralResult>>> = quirks?.refusals ?? {};
  if (messageIdOf(order) === MessageId.upgradePackage) return refusals.upgradePackage;
  return refusals[order.kind];
}

function parametersReply(replySerial: number, items: readonly ParameterItem[]): MessageBody {
  return { kind: 'parametersReply', replySerial, count: items.length, items, tail: new Uint8Array(0) };
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

function attributesOf(profile: VehicleProfile, firmwareVersion: string): MessageBody {
  const { edition } = profile;
  const { manufacturer, model, iccid, hardwareVersion } = hardwareOf(profile);
  return {
    kind: 'attributesReply',
    layout: edition === '2019' ? '5/30/30' : '5/20/7',
    terminalType: 1,
    manufacturer,
    model,
    terminalId: terminalIdOf(profile),
    iccid,
    hardwareVersion,
    firmwareVersion,
    gnss: 3,
    communication: 32,
  };
}
