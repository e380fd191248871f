import { describe, expect, it } from 'vitest';
import {
  decodeBody,
  decodeMessage,
  encodeBody,
  encodeMessage,
} from '../../../../../../server/device/jt808/codec/message.ts';
import { PartAssembler } from '../../../../../../server/device/jt808/codec/parts.ts';
import { vectorFields } from './vectorFields.ts';
import { decoded, frameOf, headerFields } from './vectorFrames.ts';
import { hexOf, sha1, vectorNamed, vectors } from './vectors.ts';

const signalling = vectors.filter((vector) => vector.protocol === 'jt808');

/** Frames that no writer of the standard would send byte for byte, each with what is odd about it. */
const NOT_CANONICAL = new Map([['0100-register-2013-traccar-1', 'a zero in front of a terminal id that is not text']]);

describe('published signalling frames', () => {
  it('are all there', () => {
    expect(signalling).toHaveLength(147);
  });

  it.each(signalling.map((vector) => [vector.name, vector] as const))(
    '%s: header and body have the published values',
    (_, vector) => {
      const message = decoded(vector);
      expect(headerFields(vector, message.header)).toEqual(vector.fields.header);
      expect(vectorFields(message.body)).toEqual(vector.fields.body);
      expect(message.trailingBytes).toBe(0);
      expect(message.body.kind).not.toBe('unknown');
    },
  );

  it.each(signalling.map((vector) => [vector.name, vector] as const))(
    '%s: encodes back to the same bytes',
    (name, vector) => {
      const { header, body } = decoded(vector);
      const encoded = encodeMessage(header, body);
      if (NOT_CANONICAL.has(name)) {
        expect(hexOf(encoded)).not.toBe(vector.hex);
        const again = decodeMessage(frameOf(hexOf(encoded)));
        expect(again.ok && vectorFields(again.message.body)).toEqual(vectorFields(body));
      } else {
        expect(hexOf(encoded)).toBe(vector.hex);
      }
    },
  );
});

describe('published messages in several packages', () => {
  const groups = signalling.filter((vector) => vector.reassembled !== undefined);

  it.each(groups.map((vector) => [vector.name, vector] as const))('%s: joins to the published body', (_, vector) => {
    const whole = vector.reassembled;
    if (whole === undefined) throw new Error('no packages');
    const assembler = new PartAssembler(() => 0);
    const events = whole.order.map((name) => {
      const { header, body } = decoded(vectorNamed(name));
      if (body.kind !== 'part') throw new Error('not a package');
      return assembler.add(header, body.bytes);
    });

    expect(events.slice(0, -1)).toEqual(events.slice(0, -1).map(() => ({ kind: 'stored' })));
    const last = events.at(-1);
    if (last?.kind !== 'complete') throw new Error('not complete');
    expect([last.bytes.length, sha1(last.bytes)]).toEqual([whole.body_len, whole.body_sha1]);
    const result = decodeBody(last.messageId, last.edition, last.bytes);
    if (!result.ok) throw new Error(result.reason);
    expect(result.trailingBytes).toBe(0);
    expect(hexOf(encodeBody(result.body, last.edition))).toBe(hexOf(last.bytes));
    const fields = vectorFields(result.body);
    // The file writes a long list of parameters as a sentence.
    const { params, ...published } = whole.fields ?? {};
    expect(fields).toMatchObject(published);
    if (params !== undefined) expect(fields.params).toHaveLength(107);
  });
});
