// What the tests of vectors share: from the hexadecimal digits of a frame to its message, and its header in the vectors' words.
import { FrameSplitter } from '../../../../../../server/device/jt808/codec/frame.ts';
import type { Header } from '../../../../../../server/device/jt808/codec/header.ts';
import { decodeMessage, type Message } from '../../../../../../server/device/jt808/codec/message.ts';
import { ofHex, type Vector } from './vectors.ts';

/** The frame in the hexadecimal digits of a vector, unescaped. */
export function frameOf(hex: string): Uint8Array {
  const events = new FrameSplitter().push(ofHex(hex));
  const [event] = events;
  if (events.length !== 1 || event?.kind !== 'frame') throw new Error(`no frame: ${JSON.stringify(events)}`);
  return event.bytes;
}

export function decoded(vector: Pick<Vector, 'hex'>): Message {
  const result = decodeMessage(frameOf(vector.hex));
  if (!result.ok) throw new Error(result.reason);
  return result.message;
}

/** The header of the vector's frame under the names of the vector file. */
export function headerFields(vector: Pick<Vector, 'hex'>, header: Header): Record<string, unknown> {
  const { part } = header;
  const checkCode = frameOf(vector.hex).reduce((check, byte) => check ^ byte, 0);
  const bits =
    header.bodyLength | (header.encryption << 10) | (part ? 0x2000 : 0) | (header.edition === '2019' ? 0x4000 : 0);
  return {
    message_id: `0x${header.messageId.toString(16).padStart(4, '0')}`,
    props: `0x${bits.toString(16).padStart(4, '0')}`,
    body_len: header.bodyLength,
    encryption_bits: header.encryption,
    subpackaged: part !== undefined,
    version: Number(header.edition),
    ...(header.edition === '2019' && { protocol_version: header.protocolVersion }),
    phone_bcd: header.terminal.raw,
    serial: header.serial,
    ...(part && { package_total: part.total, package_no: part.number }),
    check_code: `0x${checkCode.toString(16).padStart(2, '0')}`,
  };
}
