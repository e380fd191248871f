import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody, type MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { driverText, inEdition } from '../../../../../server/device/orders/driverText.ts';

/** The body as a terminal reads it. */
function received(body: MessageBody, edition: '2013' | '2019') {
  const read = decodeBody(0x8300, edition, encodeBody(inEdition(body, edition), edition));
  if (!read.ok) throw new Error(read.reason);
  return read.body;
}

describe('text for a driver', () => {
  const text = 'Call';

  it.each([
    [{ speech: false, urgent: false }, 0b0100, 0b0111],
    [{ speech: true, urgent: false }, 0b1100, 0b1111],
    [{ speech: false, urgent: true }, 0b0101, 0b0110],
    [{ speech: true, urgent: true }, 0b1101, 0b1110],
  ])('with %j has the flags of each edition', (options, flags2013, flags2019) => {
    const body = driverText(text, options);
    expect(received(body, '2013')).toEqual({ kind: 'text', flags: flags2013, text });
    expect(received(body, '2019')).toEqual({ kind: 'text', flags: flags2019, textType: 1, text });
  });

  it('of a service says so in 2019, where its type is', () => {
    const body = { ...driverText(text, { speech: false, urgent: false }), textType: 2 };
    expect(received(body, '2019')).toEqual({ kind: 'text', flags: 0b0101, textType: 2, text });
  });

  it.each([
    ['Depot\nclosed', 'Depot closed'],
    ['Depot\r\nclosed\n', 'Depot closed'],
    [' \n ', ''],
    ['回站 ☎', '回站 ?'],
  ])('%j arrives as %j', (given, expected) => {
    const { text: arrived } = received(driverText(given, { speech: false, urgent: false }), '2013') as { text: string };
    expect(arrived).toBe(expected);
  });

  it('is the only message that an edition changes', () => {
    const body = { kind: 'linkCheck' } as const;
    expect(inEdition(body, '2019')).toBe(body);
  });
});
