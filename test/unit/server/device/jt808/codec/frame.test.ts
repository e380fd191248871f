import { describe, expect, it } from 'vitest';
import { encodeFrame, type FrameEvent, FrameSplitter } from '../../../../../../server/device/jt808/codec/frame.ts';
import { hexOf, ofHex, vectors } from './vectors.ts';

const HEARTBEAT = '7e0002000000000000067800017d017e';
const CONTENT = '000200000000000006780001';

function told(events: readonly FrameEvent[]): string[] {
  return events.map((event) => (event.kind === 'frame' ? hexOf(event.bytes) : event.reason));
}

const split = (hex: string): string[] => told(new FrameSplitter().push(ofHex(hex)));

describe('encodeFrame', () => {
  it('escapes both special bytes, in the check code and in a length as well', () => {
    expect(hexOf(encodeFrame(ofHex(CONTENT)))).toBe(HEARTBEAT);
    expect(hexOf(encodeFrame(ofHex('307e087d')))).toBe('7e307d02087d013b7e');
  });

  it('finds in the published frames as many escapes as were counted there', () => {
    const counted = vectors.filter((vector) => 'escaped_bytes' in vector);
    expect(counted).not.toHaveLength(0);
    for (const vector of counted) {
      const [content = ''] = split(vector.hex);
      expect(vector).toHaveProperty('escaped_bytes', vector.hex.length / 2 - 3 - content.length / 2);
    }
  });
});

describe('FrameSplitter', () => {
  const frames = vectors.filter((vector) => vector.protocol === 'jt808').map((vector) => vector.hex);
  const stream = frames.join('');

  it.each([1, 2, 3, 11, 1024, 1_000_000])('cuts all published frames out of chunks of %i bytes', (chunkBytes) => {
    const splitter = new FrameSplitter();
    const bytes = ofHex(stream);
    const events: FrameEvent[] = [];
    for (let at = 0; at < bytes.length; at += chunkBytes)
      events.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
    const again = events.map((event) => (event.kind === 'frame' ? hexOf(encodeFrame(event.bytes)) : event.reason));
    expect(again).toEqual(frames);
  });

  it('takes one delimiter between two frames, two, or many', () => {
    const inner = HEARTBEAT.slice(2, -2);
    expect(split(`7e${inner}7e${inner}7e7e${inner}7e7e7e7e`)).toEqual([CONTENT, CONTENT, CONTENT]);
  });

  it('skips what comes before the first delimiter without a word', () => {
    expect(split(`00112233${HEARTBEAT}`)).toEqual([CONTENT]);
  });

  it('drops a frame with a wrong check code and takes the next', () => {
    expect(split(`${HEARTBEAT.replace('0678', '0679')}${HEARTBEAT}`)).toEqual(['check', CONTENT]);
  });

  it('drops a frame with an escape that does not exist and takes the next', () => {
    expect(split(`${HEARTBEAT.replace('7d01', '7d03')}${HEARTBEAT}`)).toEqual(['escape', CONTENT]);
    expect(split(`7e00020000000000007d7e${HEARTBEAT}`)).toEqual(['escape', CONTENT]);
  });

  it('lets the delimiter behind a fault begin the next frame', () => {
    expect(split(`7e00027d7e${HEARTBEAT.slice(2)}`)).toEqual(['escape', CONTENT]);
  });

  it('drops what is too short for any header', () => {
    expect(split(`7e010203007e${HEARTBEAT}`)).toEqual(['length', CONTENT]);
  });

  it('tells an endless frame once, and goes on at the next delimiter', () => {
    const splitter = new FrameSplitter();
    const events = [...splitter.push(ofHex('7e'))];
    for (let chunk = 0; chunk < 1000; chunk++) events.push(...splitter.push(new Uint8Array(1000)));
    events.push(...splitter.push(ofHex(HEARTBEAT)));
    expect(told(events)).toEqual(['overrun', CONTENT]);
  });

  it('takes the longest frame of the standard though every byte of it is escaped', () => {
    const content = new Uint8Array(1044).fill(0x7e);
    expect(told(new FrameSplitter().push(encodeFrame(content)))).toEqual([hexOf(content)]);
  });

  it('gives frames away: the next one does not change them', () => {
    const splitter = new FrameSplitter();
    const first = splitter.push(ofHex(HEARTBEAT));
    splitter.push(encodeFrame(new Uint8Array(40).fill(0xff)));
    expect(told(first)).toEqual([CONTENT]);
  });
});
