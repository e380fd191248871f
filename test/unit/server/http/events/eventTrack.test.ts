import { expect, it } from 'vitest';
import { trackSpanOf } from '../../../../../server/http/events/eventTrack.ts';

const SPAN_MS = 5 * 60_000;

it.each([
  ['the device’s clock', 1_795_000_000_000, 1_795_000_000_000],
  ['the begin, of an event without a time by that clock', 0, 1_795_000_009_000],
])('the track of an event lies around %s', (_what, deviceTimeMs, aroundMs) => {
  const span = trackSpanOf({ device_time_ms: deviceTimeMs, begin_at_ms: 1_795_000_009_000 });
  expect(span).toEqual({ fromMs: aroundMs - SPAN_MS, toMs: aroundMs + SPAN_MS });
});
