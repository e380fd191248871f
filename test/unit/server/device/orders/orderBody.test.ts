import { describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../../../../server/device/jt808/codec/frame.ts';
import { decodeMessage, encodeBody, type MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { driverQuestion } from '../../../../../server/device/orders/driverQuestion.ts';
import {
  driverWordsOf,
  messageNameOf,
  readOrderBody,
  writeOrderBody,
} from '../../../../../server/device/orders/orderBody.ts';
import { hexOf, ofHex, vectors } from '../jt808/codec/vectors.ts';

const messages = vectors
  .filter(({ protocol }) => protocol === 'jt808')
  .flatMap(({ hex }) => new FrameSplitter().push(ofHex(hex)))
  .flatMap((event) => {
    const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
    return result?.ok === true ? [result.message] : [];
  })
  .filter(({ body }) => body.kind !== 'part' && body.kind !== 'encrypted');

describe('the message of an order', () => {
  it('is the same when it is read again, whatever its kind', () => {
    const kinds = new Set<string>();
    for (const { header, body } of messages) {
      kinds.add(body.kind);
      const read = readOrderBody(writeOrderBody(body));
      if (read === undefined) throw new Error(`${body.kind} cannot be read`);
      expect(hexOf(encodeBody(read, header.edition)), body.kind).toBe(hexOf(encodeBody(body, header.edition)));
    }
    expect(kinds.size).toBeGreaterThan(50);
  });

  it('of a vendor is kept as bytes, and named by its id', () => {
    const body: MessageBody = { kind: 'unknown', id: 0x0f01, bytes: Uint8Array.of(1, 0xfe) };
    expect(readOrderBody(writeOrderBody(body))).toEqual(body);
    expect([messageNameOf(body), messageNameOf({ kind: 'linkCheck' })]).toEqual(['0x0f01', 'linkCheck']);
  });

  it.each([
    ['a value too large for its field', { kind: 'terminalControl', command: 256, parameters: '' }],
    ['more bytes than a connection takes', { kind: 'unknown', id: 1, bytes: new Uint8Array(128 * 1024 + 1) }],
    ['a package', { kind: 'part', id: 1, part: { total: 2, number: 1 }, bytes: new Uint8Array(1) }],
    ['an id that is none', { kind: 'unknown', id: 0x10000, bytes: new Uint8Array(1) }],
  ])('cannot have %s', (_what, body) => {
    expect(() => writeOrderBody(body as MessageBody)).toThrow(RangeError);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"kind":"text"'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['no kind', '{"flags":1}'],
    ['an unknown kind', '{"kind":"tea"}'],
    ['a kind of every object', '{"kind":"toString"}'],
    ['a kind that is no text', '{"kind":{}}'],
    ['fields that are missing', '{"kind":"text"}'],
    ['fields of another type', '{"kind":"text","flags":"4","text":7}'],
    ['values that do not fit', '{"kind":"text","flags":900,"text":"a"}'],
    ['no bytes', '{"kind":"unknown","id":9,"bytes":[1]}'],
    ['a package', '{"kind":"part","id":9,"part":{"total":2,"number":1},"bytes":{"$bytes":"00"}}'],
  ])('that is %s cannot be read, and nothing throws', (_what, text) => {
    expect(readOrderBody(text)).toBeUndefined();
  });

  it('shows what a driver was told and has answered, and nothing of other messages', () => {
    const none = { text: '', answer: '' };
    expect(driverWordsOf(writeOrderBody({ kind: 'text', flags: 4, text: '回站' }), 1)).toEqual({
      ...none,
      text: '回站',
    });
    const question = writeOrderBody(driverQuestion('Fuel?', ['Full', 'Low\n'], false));
    expect(driverWordsOf(question, undefined)).toEqual({ text: 'Fuel?', answer: '' });
    expect(driverWordsOf(question, 2)).toEqual({ text: 'Fuel?', answer: 'Low' });
    expect(driverWordsOf(question, 3)).toEqual({ text: 'Fuel?', answer: '' });
    expect(driverWordsOf(writeOrderBody({ kind: 'linkCheck' }), 1)).toEqual(none);
    expect(driverWordsOf('spoilt', 1)).toEqual(none);
  });
});
