// AAC of low complexity (ISO/IEC 14496-3) of one channel of 16 bits: what every player plays. It uses of the standard what sound
// of a vehicle needs: no prediction, no noise shaping in time, one kind of window for all of a stream.

import { AAC_FRAME_SAMPLES } from '../adts.ts';
import { type BandLayout, bandLayout, delayOf } from './bandLayout.ts';
import { writeScaleStep, writeSpectrum, ZERO_BOOK } from './codebooks.ts';
import { FrameBits } from './frameBits.ts';
import { chooseScales, coarser, NOT_CODED, quantise } from './scaleFactors.ts';
import { BOOK_BITS, type Section, SectionPlanner } from './sections.ts';
import { type Spectrum, SpectrumAnalyser } from './spectrum.ts';

/** A decoder's input buffer for one channel: no frame may be larger (ISO/IEC 14496-3, 4.5.3.1). */
export const MAX_FRAME_BYTES = 768;
/** Steps of the scale factors that a frame takes when it would be too large: each makes values smaller by a sixth. */
const COARSER_STEP = 2;
/** More than the largest frame with values of any size. */
const CAPACITY_BYTES = 16 * 1024;

const SINGLE_CHANNEL_ELEMENT = 0;
const END_ELEMENT = 7;
const EIGHT_SHORT_WINDOWS = 2;
const ONLY_LONG_WINDOW = 0;

/** A frame as it is written. */
interface CodedFrame {
  readonly groups: readonly number[];
  readonly scales: Int16Array;
  readonly edges: readonly number[];
  /** The sections of each group. */
  readonly sections: readonly (readonly Section[])[];
  /** Bands of each group that are written: those above are empty in all. */
  readonly codedBands: number;
}

export class AacEncoder {
  /** What is played of a stream first, so many samples, lies before its sound; and its end is so much later than its frames'. */
  readonly delaySamples: number;
  readonly #layout: BandLayout;
  readonly #bands: number;
  readonly #analyser: SpectrumAnalyser;
  readonly #samples = new Float64Array(2 * AAC_FRAME_SAMPLES);
  readonly #values = new Int32Array(AAC_FRAME_SAMPLES);
  readonly #planner: SectionPlanner;
  /** Bits that a section's length takes. */
  readonly #lengthBits: number;
  readonly #bits = new FrameBits(CAPACITY_BYTES);
  /** Whether the block before is silent: a stream begins so. */
  #isSilent = true;
  /** The frame between two silent blocks, once there was one: a hole of hours costs next to nothing. */
  #silence: Uint8Array<ArrayBuffer> | undefined;

  /** `sampleRate` is one that AAC has a layout for (`encodableRate`). */
  constructor(sampleRate: number) {
    this.#layout = bandLayout(sampleRate);
    this.delaySamples = delayOf(this.#layout);
    this.#bands = this.#layout.offsets.length - 1;
    this.#analyser = new SpectrumAnalyser(this.#layout);
    this.#lengthBits = this.#layout.windows === 8 ? 3 : 5;
    this.#planner = new SectionPlanner(this.#lengthBits);
  }

  /** The next frame, of `AAC_FRAME_SAMPLES` samples. */
  encode(block: Int16Array): Uint8Array<ArrayBuffer> {
    if (block.length !== AAC_FRAME_SAMPLES) throw new RangeError(`${block.length} samples a frame`);
    const isSilent = !hasValue(block, 0, block.length);
    if (isSilent && this.#isSilent && this.#silence !== undefined) return this.#silence;
    const frame = this.#encode(block);
    if (isSilent && this.#isSilent) this.#silence = frame;
    this.#isSilent = isSilent;
    return frame;
  }

  #encode(block: Int16Array): Uint8Array<ArrayBuffer> {
    this.#samples.copyWithin(0, AAC_FRAME_SAMPLES);
    this.#samples.set(block, AAC_FRAME_SAMPLES);
    const spectrum = this.#analyser.analyse(this.#samples);
    let scales = chooseScales(spectrum, { bands: this.#bands, windowValues: AAC_FRAME_SAMPLES / this.#layout.windows });
    for (;;) {
      const length = this.#write(this.#code(spectrum, scales));
      if (length <= MAX_FRAME_BYTES) return this.#bits.bytes.slice(0, length);
      scales = coarser(scales, COARSER_STEP);
    }
  }

  #code(spectrum: Spectrum, scales: Int16Array): CodedFrame {
    const { groups, edges } = spectrum;
    quantise(spectrum, scales, this.#values);
    const codedBands = this.#codedBands(edges);
    const sections = groups.map((_, group) =>
      this.#planner.plan(this.#values, { edges, first: group * this.#bands, count: codedBands }),
    );
    return { groups, scales, edges, sections, codedBands };
  }

  #codedBands(edges: readonly number[]): number {
    let coded = 0;
    for (let band = 0; band < edges.length - 1; band++) {
      const place = band % this.#bands;
      if (place >= coded && hasValue(this.#values, edges[band] ?? 0, edges[band + 1] ?? 0)) coded = place + 1;
    }
    return coded;
  }

  #write(frame: CodedFrame): number {
    const to = this.#bits;
    const steps = this.#scalesOf(frame);
    to.clear();
    to.bits(SINGLE_CHANNEL_ELEMENT, 3);
    to.bits(0, 4); // element_instance_tag
    to.bits(steps[0] ?? 0, 8); // global_gain
    this.#writeWindows(frame);
    for (const sections of frame.sections) this.#writeSections(sections);
    for (const [at, scale] of steps.entries()) writeScaleStep(to, scale - (steps[at - 1] ?? scale));
    to.bits(0, 3); // no pulses, no noise shaping, no gain control
    for (const [group, sections] of frame.sections.entries()) this.#writeValues(frame.edges, group, sections);
    to.bits(END_ELEMENT, 3);
    return to.align();
  }

  /** ics_info. */
  #writeWindows({ groups, codedBands }: CodedFrame): void {
    const to = this.#bits;
    const isShort = this.#layout.windows === 8;
    to.bits(0, 1); // reserved
    to.bits(isShort ? EIGHT_SHORT_WINDOWS : ONLY_LONG_WINDOW, 2);
    to.bits(0, 1); // sine window
    to.bits(codedBands, isShort ? 4 : 6);
    if (!isShort) {
      to.bits(0, 1); // predictor_data_present
      return;
    }
    // A bit for each window but the first: whether it is of the same group as the one before.
    for (const [group, count] of groups.entries()) {
      if (group > 0) to.bits(0, 1);
      if (count > 1) to.bits(2 ** (count - 1) - 1, count - 1);
    }
  }

  /** A length that all bits are set of is followed by more of it. */
  #writeSections(sections: readonly Section[]): void {
    const to = this.#bits;
    const more = 2 ** this.#lengthBits - 1;
    for (const { book, bands } of sections) {
      to.bits(book, BOOK_BITS);
      let left = bands;
      for (; left >= more; left -= more) to.bits(more, this.#lengthBits);
      to.bits(left, this.#lengthBits);
    }
  }

  /** The scale of each band that has a book. One without a value takes the scale that costs nothing: that of the band before. */
  #scalesOf({ sections, scales }: CodedFrame): number[] {
    const own: number[] = [];
    for (const [group, ofGroup] of sections.entries()) {
      let band = group * this.#bands;
      for (const { book, bands } of ofGroup) {
        if (book !== ZERO_BOOK) own.push(...scales.subarray(band, band + bands));
        band += bands;
      }
    }
    let last = own.find((scale) => scale !== NOT_CODED) ?? 0;
    return own.map((scale) => {
      last = scale === NOT_CODED ? last : scale;
      return last;
    });
  }

  #writeValues(edges: readonly number[], group: number, sections: readonly Section[]): void {
    let band = group * this.#bands;
    for (const { book, bands } of sections) {
      const range = { from: edges[band] ?? 0, end: edges[band + bands] ?? 0 };
      if (book !== ZERO_BOOK) writeSpectrum(this.#bits, book, this.#values, range);
      band += bands;
    }
  }
}

function hasValue(values: Int32Array | Int16Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (values[at] !== 0) return true;
  return false;
}
