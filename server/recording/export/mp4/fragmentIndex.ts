import { BoxWriter } from './boxWriter.ts';

export interface RandomAccessPoint {
  /** When the fragment's first picture, a key frame, is shown: in the track's units. */
  readonly time: number;
  readonly moofOffset: number;
}

/** The box at a file's end that says where its fragments begin (`mfra`): with it players seek without reading all. */
export function fragmentIndex(trackId: number, points: readonly RandomAccessPoint[]): Uint8Array<ArrayBuffer> {
  const to = new BoxWriter(64 + points.length * 19);
  to.box('mfra', () => {
    to.fullBox('tfra', { version: 1 }, () => {
      to.u32(trackId);
      to.u32(0); // the three numbers below take a byte each
      to.u32(points.length);
      for (const { time, moofOffset } of points) {
        to.u64(time);
        to.u64(moofOffset);
        to.u24(0x01_0101); // first traf, trun and sample
      }
    });
    // Read from the file's end: how far back the index begins.
    to.fullBox('mfro', {}, () => to.u32(to.length + 4));
  });
  return to.finish();
}
