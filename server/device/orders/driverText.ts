// Text for a driver (0x8300), whose flags the editions read differently.
import type { Edition } from '../jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../jt808/codec/message.ts';

/** Bits of the flags that both editions share. */
const Display = 0x04;
const Speech = 0x08;
/** 2013. */
const Urgent = 0x01;
/** 2019: the lowest two bits are one number. */
const Kind2019 = { Service: 0b01, Urgent: 0b10, Notice: 0b11 } as const;
const KIND_BITS = 0b11;
/** `textType`. */
const Service = 2;

export interface DriverTextOptions {
  /** The terminal reads it out beside showing it. */
  readonly speech: boolean;
  readonly urgent: boolean;
}

/** With the flags of 2013; `inEdition` makes those of 2019 when the terminal is known. Line ends become spaces. */
export function driverText(text: string, { speech, urgent }: DriverTextOptions): BodyOf<'text'> {
  const flags = Display | (speech ? Speech : 0) | (urgent ? Urgent : 0);
  return { kind: 'text', flags, text: text.replaceAll(/\r?\n/g, ' ').trim() };
}

/** A message as a terminal of this edition takes it. Orders are kept before anyone knows which terminal will sign in. */
export function inEdition(body: MessageBody, edition: Edition): MessageBody {
  if (body.kind !== 'text' || edition !== '2019') return body;
  const { flags, textType } = body;
  const kind = (flags & Urgent) !== 0 ? Kind2019.Urgent : textType === Service ? Kind2019.Service : Kind2019.Notice;
  return { ...body, flags: (flags & ~KIND_BITS) | kind };
}
