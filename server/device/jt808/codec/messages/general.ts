// Replies, time, keys and the request to send packages again.
import { bytes, counted, type Field, layout, u8, u16, u32, utcTime } from '../fields.ts';

/** 0x0001 and 0x8001. `result`: GeneralResult. */
const generalReply = layout({ replySerial: u16, replyId: u16, result: u8 });

export interface ResendRequest {
  /** Serial of the message's first package. */
  readonly firstSerial: number;
  readonly numbers: readonly number[];
}

/** The count has one byte in 2013 and two in 2019, but senders differ: the body's length tells what it is. */
const resendRequest: Field<ResendRequest> = {
  read(from) {
    const firstSerial = u16.read(from);
    const countField = from.remaining % 2 === 0 ? u16 : u8;
    return { firstSerial, numbers: counted(countField, u16).read(from) };
  },
  write(to, value) {
    u16.write(to, value.firstSerial);
    counted(to.edition === '2019' ? u16 : u8, u16).write(to, value.numbers);
  },
};

/** Year to second in binary, UTC. */
const vendorTimeReply = layout({ year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8, result: u8 });

/** 0x0A00 and 0x8A00: an RSA public key, {e, n}. */
const rsaKey = layout({ exponent: u32, modulus: bytes(128) });

export const generalMessages = {
  terminalGeneralReply: generalReply,
  platformGeneralReply: generalReply,
  timeReply: layout({ time: utcTime }),
  vendorTimeReply,
  terminalResendRequest: resendRequest,
  platformResendRequest: resendRequest,
  terminalRsaKey: rsaKey,
  platformRsaKey: rsaKey,
};
