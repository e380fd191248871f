// What a page plays, as analysers before the loudspeaker hear it.
import type { Page } from 'playwright-core';

export interface Heard {
  /** Milliseconds since the epoch by the page's clock. */
  readonly atMs: number;
  readonly peak: number;
}

interface Spies {
  readonly heard: Heard[];
  /** When something louder than the level began, milliseconds since the epoch by the page's clock. */
  readonly beginnings: number[];
  readonly contexts: BaseAudioContext[];
  analyser: AnalyserNode | undefined;
}

/** What is louder than this is sound. */
const QUIET = 0.02;

/**
 * Call before the page goes anywhere: from its first sound on it notes the peak of each 20 ms or so, and, exactly, when
 * something louder than `level` begins. A page that is late with looking still finds beginnings of the last third of a second.
 */
export async function spyOnSound(page: Page, level = 0.4): Promise<void> {
  await page.addInitScript((loud) => {
    const spies: Spies = { heard: [], beginnings: [], contexts: [], analyser: undefined };
    Object.assign(globalThis, { spies });
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...parts: unknown[]) => AudioNode;
    const nowMs = () => performance.timeOrigin + performance.now();
    const listen = (source: AudioNode, fftSize: number): AnalyserNode => {
      const analyser = source.context.createAnalyser();
      analyser.fftSize = fftSize;
      analyser.smoothingTimeConstant = 0;
      connect.call(source, analyser);
      return analyser;
    };
    const peakOf = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const notePeaks = (source: AudioNode) => {
      // In a longer stretch, a short reading would be the oldest part.
      const latest = listen(source, 512);
      const samples = new Float32Array(latest.fftSize);
      setInterval(() => {
        latest.getFloatTimeDomainData(samples);
        spies.heard.push({ atMs: nowMs(), peak: peakOf(samples) });
      }, 5);
    };
    const noteBeginnings = (source: AudioNode) => {
      const stretch = listen(source, 16_384);
      const samples = new Float32Array(stretch.fftSize);
      const block = 64;
      const quietBlocks = 16;
      setInterval(() => {
        stretch.getFloatTimeDomainData(samples);
        const readMs = nowMs();
        let quiet = 0;
        for (let at = 0; at < samples.length; at += block) {
          if (peakOf(samples.subarray(at, at + block)) < loud) {
            quiet++;
            continue;
          }
          const beganMs = readMs - ((samples.length - at) / source.context.sampleRate) * 1_000;
          if (quiet >= quietBlocks && beganMs - (spies.beginnings.at(-1) ?? 0) > 200) spies.beginnings.push(beganMs);
          quiet = 0;
        }
      }, 40);
    };
    AudioNode.prototype.connect = function connectThroughSpy(this: AudioNode, ...parts: unknown[]) {
      const [target] = parts;
      if (!(target instanceof AudioDestinationNode)) return connect.apply(this, parts);
      spies.contexts.push(this.context);
      spies.analyser = listen(this, 32_768);
      notePeaks(this);
      noteBeginnings(this);
      return connect.call(spies.analyser, target);
    } as typeof AudioNode.prototype.connect;
  }, level);
}

export const heardBy = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (globalThis as unknown as { spies: Spies }).spies.heard);

export const soundBeginnings = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { spies: Spies }).spies.beginnings);

/** How many contexts have played something. */
export const soundContexts = (page: Page): Promise<number> =>
  page.evaluate(() => new Set((globalThis as unknown as { spies: Spies }).spies.contexts).size);

/** Hertz of the loudest part of what is heard now. */
export const loudestHertz = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { analyser } = (globalThis as unknown as { spies: Spies }).spies;
    if (analyser === undefined) return Number.NaN;
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    const loudest = levels.reduce((best, level, bin) => (level > (levels[best] ?? 0) ? bin : best), 0);
    return (loudest * analyser.context.sampleRate) / analyser.fftSize;
  });

export const sounding = (heard: readonly Heard[]): Heard[] => heard.filter(({ peak }) => peak > QUIET);

/** Whether anything was heard in the last 0.3 s or so. */
export const isHeard = async (page: Page): Promise<boolean> =>
  sounding((await heardBy(page).catch(() => [])).slice(-60)).length > 0;

/** Time from the first sound to the last. */
export function soundingMs(heard: readonly Heard[]): number {
  const loud = sounding(heard);
  return (loud.at(-1)?.atMs ?? 0) - (loud[0]?.atMs ?? 0);
}
