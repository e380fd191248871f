import { describe, expect, it } from 'vitest';
import { safetyItem } from '../../../../../../server/device/jt808/codec/activeSafety.ts';
import {
  type AttachmentEvent,
  AttachmentSplitter,
  encodeBlock,
} from '../../../../../../server/device/jt808/codec/attachmentStream.ts';
import { encodeFrame } from '../../../../../../server/device/jt808/codec/frame.ts';
import { decodeMessage, encodeMessage, type MessageBody } from '../../../../../../server/device/jt808/codec/message.ts';
import type { Position } from '../../../../../../server/device/jt808/codec/messages/position.ts';
import { positionDetails } from '../../../../../../server/device/jt808/codec/positionItems.ts';
import { vectorFields } from './vectorFields.ts';
import { decoded, frameOf, headerFields } from './vectorFrames.ts';
import { hexOf, negativeSafetyVectors, ofHex, safetyVectors } from './vectors.ts';

const SAFETY_IDS = [0x64, 0x65, 0x66, 0x67, 0x70];

const named = <V extends { readonly name: string; readonly protocol: string }>(
  vectors: readonly V[],
  protocol: V['protocol'],
) => vectors.filter((vector) => vector.protocol === protocol).map((vector) => [vector.name, vector] as const);

function positionsOf(body: MessageBody): readonly Position[] {
  if (body.kind === 'bulkPositions') return body.positions;
  return body.kind === 'position' ? [body] : [];
}

describe('frames of active safety', () => {
  const frames = named(safetyVectors, 'jt808');

  it('are all there', () => {
    expect(frames).toHaveLength(28);
  });

  it.each(frames)('%s: header and body have the values that were put in', (_, vector) => {
    const { header, body, trailingBytes } = decoded(vector);
    expect(headerFields(vector, header)).toEqual(vector.fields.header);
    expect(vectorFields(body)).toEqual(vector.fields.body);
    expect(trailingBytes).toBe(0);
  });

  it.each(frames)('%s: encodes back to the same bytes', (_, vector) => {
    const { header, body } = decoded(vector);
    expect(hexOf(encodeMessage(header, body))).toBe(vector.hex);
  });

  it('have items that are written as they were read', () => {
    let items = 0;
    for (const [, vector] of frames) {
      for (const position of positionsOf(decoded(vector).body)) {
        const sent = position.items.filter(({ id }) => SAFETY_IDS.includes(id));
        items += sent.length;
        for (const item of sent) expect(written([item], position.status)).toEqual([item]);
      }
    }
    expect(items).toBe(24);
  });
});

/** The items of the alarms that the items hold. */
function written(items: Position['items'], status: number): Position['items'] {
  const {
    adas = [],
    driverMonitoring = [],
    tyres = [],
    blindSpot = [],
    drivingStyle = [],
  } = positionDetails(items, status);
  return [
    ...adas.map((alarm) => safetyItem('adas', alarm)),
    ...driverMonitoring.map((alarm) => safetyItem('driverMonitoring', alarm)),
    ...tyres.map((alarm) => safetyItem('tyres', alarm)),
    ...blindSpot.map((alarm) => safetyItem('blindSpot', alarm)),
    ...drivingStyle.map((alarm) => safetyItem('drivingStyle', alarm)),
  ];
}

describe('broken frames of active safety', () => {
  const frames = named(negativeSafetyVectors, 'jt808').map(([name, vector]) => [name, vector.hex] as const);
  const apart = ['item-cut', '1210-mark-of-40-bytes'];
  const isPosition = (hex: string): boolean => frameOf(hex)[0] === 0x02;
  const withItem = frames.filter(([name, hex]) => isPosition(hex) && !apart.includes(name));
  const others = frames.filter(([name, hex]) => !isPosition(hex) && !apart.includes(name));
  const hexNamed = (name: string): string => new Map(frames).get(name) ?? '';

  it('are all there', () => {
    expect([withItem.length, others.length]).toEqual([19, 7]);
  });

  it.each(withItem)('%s: the item is kept as bytes, and nothing else suffers', (_, hex) => {
    const { body } = decoded({ hex });
    if (body.kind !== 'position') throw new Error(body.kind);
    expect(positionDetails(body.items)).toEqual({ radioSignal: 9 });
    expect(body.items.map(({ id }) => id)).toEqual([0x30, expect.toBeOneOf(SAFETY_IDS)]);
    expect(body.tail).toHaveLength(0);
    expect(hexOf(encodeMessage(decoded({ hex }).header, body))).toBe(hex);
  });

  it('with an item that runs past the end keep the position, and the rest as bytes', () => {
    const { body } = decoded({ hex: hexNamed('item-cut') });
    expect(body).toMatchObject({ kind: 'position', latitude: 25.033964, items: [], tail: { length: 32 } });
  });

  it.each(others)('%s: is no body, and its sender is named', (_, hex) => {
    expect(decodeMessage(frameOf(hex))).toMatchObject({
      ok: false,
      fault: 'body',
      reason: expect.stringContaining('short read'),
      header: { terminal: { canonical: '13912345678' } },
    });
  });

  it('of a province whose marks have 40 bytes name no alarm that anybody asked about, and leave bytes', () => {
    const { body, trailingBytes } = decoded({ hex: hexNamed('1210-mark-of-40-bytes') });
    expect(body).toMatchObject({ kind: 'attachmentList', alarmNumber: 'FG00017', files: [] });
    expect(trailingBytes).toBeGreaterThan(0);
  });
});

const eventFields = (event: AttachmentEvent): Record<string, unknown> => {
  switch (event.kind) {
    case 'frame':
      return { kind: event.kind, content_hex: hexOf(event.bytes) };
    case 'block':
      return { kind: event.kind, name: event.name, offset: event.offset, data_hex: hexOf(event.data) };
    case 'broken':
      return { ...event };
  }
};

/** Read in chunks of that many bytes. */
function eventsOf(hex: string, chunkBytes: number): AttachmentEvent[] {
  const splitter = new AttachmentSplitter();
  const bytes = ofHex(hex);
  const events: AttachmentEvent[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) events.push(...splitter.push(bytes.slice(at, at + chunkBytes)));
  return events;
}

describe('attachment connections', () => {
  const streams = named(safetyVectors, 'attachment');
  const brokenStreams = named(negativeSafetyVectors, 'attachment');

  it('are all there', () => {
    expect([streams.length, brokenStreams.length]).toEqual([8, 10]);
  });

  it.each([...streams, ...brokenStreams])('%s: is read the same in chunks of any size', (_, vector) => {
    for (const chunkBytes of [1, 2, 3, 7, 61, 62, 63, 1_000_000]) {
      expect(eventsOf(vector.hex, chunkBytes).map(eventFields)).toEqual(vector.fields?.events);
    }
  });

  it.each(streams)('%s: encodes back to the same bytes', (name, vector) => {
    const bytes = eventsOf(vector.hex, 1000).flatMap((event) => {
      if (event.kind === 'broken') throw new Error(event.reason);
      return [event.kind === 'frame' ? encodeFrame(event.bytes) : encodeBlock(event)];
    });
    const again = hexOf(new Uint8Array(Buffer.concat(bytes)));
    switch (name) {
      case 'block-garbage-behind-name':
        expect(again).toBe(vector.hex.replace(Buffer.from('old.jpg').toString('hex'), '00'.repeat(7)));
        break;
      case 'one-delimiter-between-frames':
        expect(again.replace('7e7e', '7e')).toBe(vector.hex);
        break;
      default:
        expect(again).toBe(vector.hex);
    }
  });
});
