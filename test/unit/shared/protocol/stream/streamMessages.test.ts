import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeStreamEvent,
  parseStreamEvent,
  parseViewerMessage,
  type StreamEvent,
  type ViewerMessage,
} from '../../../../../shared/protocol/stream/streamMessages.ts';

const EVENTS: readonly StreamEvent[] = [
  { type: 'error', code: 'not-found', message: '車輛不存在' },
  { type: 'gap', untilMs: 5 },
  { type: 'gap', untilMs: null },
  { type: 'ended' },
  { type: 'clock', positionMs: 1, speed: 0.25, paused: false },
  { type: 'format', codec: 34, sampleRate: 8000, channels: 1 },
];

const MESSAGES: readonly ViewerMessage[] = [
  { type: 'pause' },
  { type: 'resume' },
  { type: 'seek', positionMs: 7 },
  { type: 'speed', speed: 16 },
  { type: 'step', frames: -1 },
  { type: 'video', on: false },
];

describe('stream events', () => {
  it.each(EVENTS)('carry $type', (event) => {
    expect(parseStreamEvent(encodeStreamEvent(event))).toEqual(event);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '7',
    '{"type":"later"}',
    '{"type":"error","code":1,"message":"x"}',
    '{"type":"clock"}',
  ])('skip %j', (text) => {
    expect(parseStreamEvent(new TextEncoder().encode(text))).toBeUndefined();
  });
});

describe('viewer messages', () => {
  it.each(MESSAGES)('carry $type', (message) => {
    expect(parseViewerMessage(JSON.stringify({ ...message, extra: 1 }))).toEqual(message);
  });

  it.each([
    '',
    '{}',
    '{"type":"seek"}',
    '{"type":"seek","positionMs":"1"}',
    '{"type":"video","on":1}',
    '{"type":"__proto__"}',
  ])('skip %j', (text) => {
    expect(parseViewerMessage(text)).toBeUndefined();
  });

  it('never throw, whatever the text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => parseViewerMessage(text) !== null));
  });
});
