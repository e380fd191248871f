// One stream's VideoDecoder: owns it, replaces it when it fails, and hands its pictures on.

import { continues } from '../../../shared/protocol/codec/video/keptGroups.ts';
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import { type MediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { VideoFault, VideoFaultKind, VideoUnit } from '../messages.ts';
import { type DecoderPhase, type DecoderSetup, isHopeless, isMute, planUnit } from './decoderPlan.ts';
import { readSetup } from './decoderSetup.ts';
import { GopBuffer } from './gopBuffer.ts';

/** The part of a VideoDecoder that is used here. */
export type Decoder = Pick<VideoDecoder, 'configure' | 'decode' | 'flush' | 'reset' | 'close' | 'state'>;

export interface StreamDecoderDeps {
  readonly createDecoder: (init: VideoDecoderInit) => Decoder;
  readonly createChunk: (init: EncodedVideoChunkInit) => EncodedVideoChunk;
  /** Whether the browser says that it can decode this. Never rejects. */
  readonly isSupported: (config: VideoDecoderConfig) => Promise<boolean>;
  readonly now: () => number;
  /** Whether pictures go to a receiver with a clock, which decides which of them to show. */
  readonly hasClock: () => boolean;
  /** Takes the frame over, and closes it. */
  readonly onFrame: (frame: VideoFrame, times: FrameTimes) => void;
  /** A picture came out that is not passed on: its unit was decoded for those that refer to it. */
  readonly onSkipped: () => void;
  readonly onFault: (fault: VideoFault) => void;
}

export interface FrameTimes {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
}

/** Data of a unit that the decoder doesn't pass through. */
interface GivenUnit {
  readonly deviceTimeMs: WallMs;
  readonly unseen: boolean;
  readonly atMs: number;
}

/** A second failure within this time is blamed on the hardware, not on the stream. */
const HARDWARE_DOUBT_MS = 10_000;

/** Pictures. */
const SMOOTHED_OVER = 16;

export class StreamDecoder {
  readonly #deps: StreamDecoderDeps;
  #decoder: Decoder | undefined;
  #phase: DecoderPhase = { kind: 'unconfigured' };
  /** Units given to the decoder whose pictures haven't come out. */
  readonly #pending = new Map<MediaUs, GivenUnit>();
  #decodeMs = 0;
  /** Since when the decoder has had units and output nothing. */
  #busySinceMs = 0;
  #lastErrorMs = Number.NEGATIVE_INFINITY;
  /** Units that a replacement decoder needs if this one is lost. */
  readonly #group = new GopBuffer();
  #lost: DecoderSetup | undefined;
  /** It is to output all that it has. */
  #draining: Decoder | undefined;
  /** Pictures of the kept units that were passed on. */
  readonly #given = new Set<MediaUs>();
  /** Pictures that are decoded again only as references: already shown, or too old. */
  #skipped: ReadonlySet<MediaUs> = new Set();
  #softwareOnly = false;
  /** Whether the present decoder has given a picture. */
  #hasSpoken = false;
  /** Decoders that failed since the last picture. */
  #fruitless = 0;
  #isClosed = false;
  readonly #entry = new LateEntry();

  constructor(deps: StreamDecoderDeps) {
    this.#deps = deps;
  }

  /** Units that have not come out as pictures. */
  get backlog(): number {
    return this.#pending.size;
  }

  /** How long the decoder has had units and output nothing. */
  get silentMs(): number {
    return this.#pending.size > 0 ? this.#deps.now() - this.#busySinceMs : 0;
  }

  /**
   * Makes the decoder output the pictures that it holds back, and calls when it has none any more. Units after this are decoded again
   * with their whole group, before that call by another decoder: they would be among pictures that still come out of this one.
   */
  drain(onEnd: () => void): void {
    const hasGroup = this.#group.units.length > 0;
    if (this.#decoder === undefined || this.#phase.kind !== 'decoding' || !hasGroup) {
      onEnd();
      return;
    }
    const decoder = this.#decoder;
    const held = [...this.#pending];
    const forget = () => {
      // Given again meanwhile, a unit is another entry.
      for (const [time, unit] of held) if (this.#pending.get(time) === unit) this.#pending.delete(time);
    };
    const end = () => {
      if (this.#draining === decoder) this.#draining = undefined;
      onEnd();
    };
    this.#draining = decoder;
    // What hasn't come out by then never will. Rejects if the decoder is closed or fails meanwhile, which its error
    // callback reports.
    decoder
      .flush()
      .then(forget, () => undefined)
      .then(end, end);
    this.#lost = this.#phase.setup;
  }

  /** Recent time from when a unit was due to its picture, smoothed. Reordering and a busy decoder increase it. */
  get decodeMs(): number {
    return this.#decodeMs;
  }

  /**
   * Drops what the decoder holds, because it is from the position before a seek and could be taken for pictures of the new
   * one. A key frame follows.
   */
  abandon(): void {
    this.#group.clear();
    this.#lost = undefined;
    if (this.#pending.size === 0 || !('setup' in this.#phase)) return;
    const { setup } = this.#phase;
    this.#pending.clear();
    try {
      this.#decoder?.reset();
    } catch (error) {
      // A decoder that has failed and whose error callback is still to come.
      this.#fail(error);
      return;
    }
    this.#configure(setup);
  }

  /** A new connection begins: what the decoder holds is of the old one, and only a key frame can follow. */
  restart(): void {
    this.#group.clear();
    this.#lost = undefined;
    if (this.#phase.kind !== 'failed') this.#discard();
  }

  /** Gives one access unit to the decoder, or skips it. True when pictures may come of it. Never throws. */
  push(unit: VideoUnit, bytes: Uint8Array): boolean {
    if (this.#isClosed) return false;
    const { key } = unit;
    const hasMore = continues(unit);
    if (hasMore) this.#forgetDropped();
    else if (key) {
      this.#skipped = new Set();
      this.#given.clear();
    }
    if (!key || hasMore) this.#rescue();
    const decision = planUnit(this.#phase, {
      key,
      isRecovering: hasMore,
      setup: key ? this.#readSetup(unit.codec, bytes) : undefined,
      backlog: this.#pending.size,
      silentMs: this.silentMs,
    });
    switch (decision.kind) {
      case 'skip':
        return false;
      case 'await-key':
        this.#group.clear();
        if (this.#phase.kind === 'decoding') this.#phase = { kind: 'waiting-key', setup: this.#phase.setup };
        return false;
      case 'configure':
        if (decision.discards) this.#discard();
        return this.#configure(decision.setup) && this.#decode(unit, bytes);
      case 'decode':
        return this.#decode(unit, bytes);
    }
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#discard();
  }

  /** Pictures whose units aren't kept any more won't be decoded again. */
  #forgetDropped(): void {
    const kept = new Set(this.#group.units.map(({ unit }) => unit.mediaTimeUs));
    for (const time of this.#given) if (!kept.has(time)) this.#given.delete(time);
  }

  #readSetup(codec: number, bytes: Uint8Array): DecoderSetup | undefined {
    const read = readSetup(codec, bytes, this.#softwareOnly);
    if (read.kind === 'unsupported') this.#giveUp(read.codecName, read.codecName);
    return read.kind === 'setup' ? read.setup : undefined;
  }

  #configure(setup: DecoderSetup): boolean {
    this.#decoder ??= this.#createDecoder();
    try {
      this.#decoder.configure(configOf(setup));
    } catch {
      this.#giveUp(setup.identity, setup.name);
      return false;
    }
    this.#phase = { kind: 'waiting-key', setup };
    return true;
  }

  #createDecoder(): Decoder {
    this.#hasSpoken = false;
    const decoder = this.#deps.createDecoder({
      output: (frame) => {
        // Outlived by its own decoder: nobody else would close it.
        if (this.#decoder !== decoder) return frame.close();
        this.#hasSpoken = true;
        const { unseen, ...times } = this.#takeTimes(frame.timestamp as MediaUs);
        if (unseen || this.#skipped.has(times.mediaTimeUs)) {
          frame.close();
          this.#deps.onSkipped();
        } else this.#give(frame, times);
      },
      error: (error) => {
        if (this.#decoder === decoder) this.#fail(error);
      },
    });
    return decoder;
  }

  /** Takes the frame over. */
  #give(frame: VideoFrame, times: FrameTimes): void {
    this.#fruitless = 0;
    this.#given.add(times.mediaTimeUs);
    this.#deps.onFrame(frame, times);
  }

  /** Replaces a decoder that was taken away or hangs, and decodes the group again up to the present. */
  #rescue(): void {
    if (this.#phase.kind === 'decoding' && isMute(this.#pending.size, this.silentMs, this.#phase.setup)) {
      const { setup } = this.#phase;
      this.#discard();
      this.#blame();
      if (isHopeless(this.#fruitless, setup)) this.#giveUp(setup.identity, setup.name);
      else this.#lost = setup;
    }
    const setup = this.#lost;
    const units = [...this.#group.units];
    const newest = units.at(-1);
    this.#lost = undefined;
    if (setup === undefined || newest === undefined) return;
    if (this.#draining !== undefined && this.#draining === this.#decoder) this.#discard();
    // Without a clock, of the pictures decoded again only the newest is worth showing, and only if it wasn't shown. B pictures
    // after it are earlier than a reference that may already have been shown.
    const times = units.map(({ unit }) => unit.mediaTimeUs);
    const isOld = (time: MediaUs): boolean => !this.#deps.hasClock() && time < newest.unit.mediaTimeUs;
    this.#skipped = new Set(times.filter((time) => isOld(time) || this.#given.has(time)));
    if (
      !this.#configure({
        ...setup,
        prefersSoftware: setup.prefersSoftware || (this.#softwareOnly && !setup.isHardwareOnly),
      })
    )
      return;
    for (const { unit, bytes } of units) if (!this.#decode(unit, bytes)) return;
  }

  /** A second failure in a short time is blamed on the hardware decoder. */
  #blame(): void {
    const nowMs = this.#deps.now();
    this.#softwareOnly ||= nowMs - this.#lastErrorMs < HARDWARE_DOUBT_MS;
    this.#lastErrorMs = nowMs;
    this.#fruitless++;
  }

  #decode(unit: VideoUnit, bytes: Uint8Array): boolean {
    const { key, unseen, mediaTimeUs, deviceTimeMs } = unit;
    if (this.#decoder === undefined || !('setup' in this.#phase)) return false;
    const isAlone = unit.discontinuity || this.#phase.kind !== 'decoding';
    const prepared = this.#entry.take(unit, bytes, isAlone);
    if (prepared === undefined) {
      // Nothing needs a leading picture.
      if (unit.dependence !== 'leading') this.#phase = { kind: 'waiting-key', setup: this.#phase.setup };
      return false;
    }
    const { standIns } = prepared;
    const chunks = standIns.map((data, at) => ({ data, timestamp: mediaTimeUs - (standIns.length - at) }));
    const isKey = (at: number): boolean => key && at === 0;
    try {
      // No `description` at `configure`: the bytes stay Annex B and bring their parameter sets themselves.
      for (const [at, chunk] of [...chunks, { data: prepared.bytes, timestamp: mediaTimeUs }].entries()) {
        this.#decoder.decode(this.#deps.createChunk({ type: isKey(at) ? 'key' : 'delta', ...chunk }));
      }
    } catch (error) {
      // Also a decoder that has failed and whose error callback is still to come.
      this.#fail(error);
      return false;
    }
    this.#group.add(unit, bytes);
    if (key) this.#lost = undefined;
    const atMs = this.#deps.now();
    if (this.#pending.size === 0) this.#busySinceMs = atMs;
    for (const { timestamp } of chunks) this.#pending.set(timestamp as MediaUs, { deviceTimeMs, unseen: true, atMs });
    this.#pending.set(mediaTimeUs, { deviceTimeMs, unseen: unseen || prepared.unseen, atMs });
    this.#phase = { kind: 'decoding', setup: this.#phase.setup };
    return true;
  }

  /** Pictures come out in order of their times, so anything older than this one was dropped by the decoder. */
  #takeTimes(mediaTimeUs: MediaUs): FrameTimes & { readonly unseen: boolean } {
    const given = this.#pending.get(mediaTimeUs);
    for (const pending of this.#pending.keys()) if (pending <= mediaTimeUs) this.#pending.delete(pending);
    this.#busySinceMs = this.#deps.now();
    if (given !== undefined) this.#decodeMs += (this.#busySinceMs - given.atMs - this.#decodeMs) / SMOOTHED_OVER;
    return { mediaTimeUs, deviceTimeMs: given?.deviceTimeMs ?? wallMs(0), unseen: given?.unseen === true };
  }

  #fail(error: unknown): void {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'NotSupportedError' && 'setup' in this.#phase) {
      this.#giveUp(this.#phase.setup.identity, this.#phase.setup.name);
      return;
    }
    const setup = 'setup' in this.#phase ? this.#phase.setup : undefined;
    this.#discard();
    if (name === 'QuotaExceededError') {
      this.#lost = setup;
      this.#report('reclaimed', error);
      return;
    }
    this.#blame();
    this.#group.clear();
    if (setup !== undefined && isHopeless(this.#fruitless, setup)) {
      this.#giveUp(setup.identity, setup.name);
      return;
    }
    if (setup !== undefined && !this.#hasSpoken) void this.#doubt(setup);
    this.#report('decode', error);
  }

  /**
   * Chromium reports an unsupported codec with the same error as a decoder that failed to start, so support is queried: not before, since
   * that delays the first picture and a yes is no promise.
   */
  async #doubt(setup: DecoderSetup): Promise<void> {
    if (await this.#deps.isSupported(configOf(setup))) return;
    const isCurrent = !('setup' in this.#phase) || this.#phase.setup.identity === setup.identity;
    if (isCurrent && !this.#isClosed) this.#giveUp(setup.identity, setup.name);
  }

  /** `name` of the codec, for people. */
  #giveUp(identity: string, name: string): void {
    const wasFailed = this.#phase.kind === 'failed' && this.#phase.identity === identity;
    this.#discard();
    this.#phase = { kind: 'failed', identity };
    if (!wasFailed) this.#report('codec', name);
  }

  #report(kind: VideoFaultKind, cause: unknown): void {
    this.#deps.onFault({ kind, message: String(cause) });
  }

  /** Gives the decoder up, with all that it holds. The next key frame gets a new one. */
  #discard(): void {
    const decoder = this.#decoder;
    this.#decoder = undefined;
    this.#phase = { kind: 'unconfigured' };
    this.#pending.clear();
    if (decoder !== undefined && decoder.state !== 'closed') decoder.close();
  }
}

function configOf({ codec, prefersSoftware, size }: DecoderSetup): VideoDecoderConfig {
  return {
    codec,
    optimizeForLatency: true,
    hardwareAcceleration: prefersSoftware ? 'prefer-software' : 'no-preference',
    ...(size !== undefined && { codedWidth: size.width, codedHeight: size.height }),
  };
}
