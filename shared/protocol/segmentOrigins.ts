/** Where a segment came from. Tables and sidecars hold the numbers, so none is ever moved. */
const SEGMENT_ORIGINS = [
  'live',
  /** From the device's own card, later. */
  'fetched',
] as const;
export type SegmentOrigin = (typeof SEGMENT_ORIGINS)[number];

/** What is not known by now came live. */
export function segmentOriginOf(number: number): SegmentOrigin {
  return SEGMENT_ORIGINS[number] ?? 'live';
}

export function numberOfSegmentOrigin(origin: SegmentOrigin | undefined): number {
  return SEGMENT_ORIGINS.indexOf(origin ?? 'live');
}
