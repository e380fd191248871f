// Bodies as hexadecimal digits.
import { expect } from 'vitest';
import { type Edition, MessageId } from '../../../../../../server/device/jt808/codec/codes.ts';
import {
  type BodyOf,
  decodeBody,
  encodeBody,
  type MessageBody,
} from '../../../../../../server/device/jt808/codec/message.ts';
import { hexOf, ofHex } from './vectors.ts';

/** The body of that kind in the hexadecimal digits, spaces allowed. */
export function read<Kind extends keyof typeof MessageId>(
  kind: Kind,
  hex: string,
  edition: Edition = '2013',
): BodyOf<Kind> {
  const result = decodeBody(MessageId[kind], edition, ofHex(hex.replaceAll(' ', '')));
  if (!result.ok) throw new Error(result.reason);
  expect(result.body.kind).toBe(kind);
  return result.body as BodyOf<Kind>;
}

export const write = (body: MessageBody, edition: Edition = '2013'): string => hexOf(encodeBody(body, edition));
