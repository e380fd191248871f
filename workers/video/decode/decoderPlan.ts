// What to do with the next access unit, given where the decoder stands. Pure: the decoder itself is in StreamDecoder.

import type { PixelSize } from '../messages.ts';

/** How a decoder is set up. Two set-ups with the same identity need no new `configure`. */
export interface DecoderSetup {
  readonly codec: string;
  /** For people. */
  readonly name: string;
  /** The parameter set's bytes as text: pictures that share them share the set-up. */
  readonly identity: string;
  readonly prefersSoftware: boolean;
  /** No browser decodes it in software, and hardware may want a whole group of pictures before it gives the first. */
  readonly isHardwareOnly?: true | undefined;
  /** Size of the visible picture, for decoders that must be told: Edge's for H.265. */
  readonly size?: PixelSize | undefined;
}

export type DecoderPhase =
  /** No decoder, or a new one. */
  | { readonly kind: 'unconfigured' }
  /** Set up, and something is missing: only a key frame makes sense of what follows. */
  | { readonly kind: 'waiting-key'; readonly setup: DecoderSetup }
  | { readonly kind: 'decoding'; readonly setup: DecoderSetup }
  /** This browser cannot decode this set-up; another one may come. */
  | { readonly kind: 'failed'; readonly identity: string };

export interface UnitFacts {
  readonly key: boolean;
  /** For a key frame: a decoder that begins with it shows nothing for a while. */
  readonly isRecovering?: boolean | undefined;
  /** For a key frame: the set-up that its parameter sets ask for. Undefined when it has none, or none that can be read. */
  readonly setup: DecoderSetup | undefined;
  /** Units given to the decoder that have not come out as pictures. */
  readonly backlog: number;
  /** How long the decoder has had something to do and given nothing. */
  readonly silentMs: number;
}

export type Decision =
  | { readonly kind: 'skip' }
  /** Skip, and everything after it up to the next key frame. */
  | { readonly kind: 'await-key' }
  | { readonly kind: 'decode' }
  /** Set the decoder up, then decode. `discards` drops what it still holds. */
  | { readonly kind: 'configure'; readonly setup: DecoderSetup; readonly discards: boolean };

/** Two seconds of pictures: a decoder with more than that behind it when a key frame comes is too slow to catch up. */
export const MAX_BACKLOG_AT_KEY = 50;
/** A decoder may hold a few pictures back for their order; one with more that says nothing for so long hangs. */
const MAX_HELD_BACK = 10;
export const MAX_SILENCE_MS = 2_000;
/** The watchdog between key frames is quicker: it can go on where the decoder stopped. */
const WATCHDOG_MS = 1_000;
const PATIENT_WATCHDOG_MS = 3_000;
/** Decoders in a row that gave no picture at all: this machine cannot decode the stream, whatever it said. */
const MAX_FRUITLESS = 3;
/** Beyond this even a long group of pictures is not worth its memory. */
export const MAX_BACKLOG = 500;

export function planUnit(phase: DecoderPhase, unit: UnitFacts): Decision {
  return unit.key ? planKey(phase, unit) : planDelta(phase, unit);
}

function planDelta(phase: DecoderPhase, unit: UnitFacts): Decision {
  if (phase.kind !== 'decoding') return { kind: 'skip' };
  return unit.backlog > MAX_BACKLOG ? { kind: 'await-key' } : { kind: 'decode' };
}

function planKey(phase: DecoderPhase, unit: UnitFacts): Decision {
  const { setup } = unit;
  switch (phase.kind) {
    case 'unconfigured':
      return setup === undefined ? { kind: 'skip' } : { kind: 'configure', setup, discards: false };
    case 'failed':
      return setup === undefined || setup.identity === phase.identity
        ? { kind: 'skip' }
        : { kind: 'configure', setup, discards: false };
    case 'waiting-key':
    case 'decoding':
      if (isStuck(unit, phase.setup)) return { kind: 'configure', setup: setup ?? phase.setup, discards: true };
      if (setup === undefined || isSame(setup, phase.setup)) return { kind: 'decode' };
      return { kind: 'configure', setup, discards: false };
  }
}

/** Starting afresh at a key frame loses what the decoder holds, and bounds the delay to one group of pictures. */
function isStuck({ isRecovering, backlog, silentMs }: UnitFacts, { isHardwareOnly }: DecoderSetup): boolean {
  const patienceMs = isHardwareOnly ? PATIENT_WATCHDOG_MS : MAX_SILENCE_MS;
  return (
    backlog > (isRecovering === true ? MAX_BACKLOG : MAX_BACKLOG_AT_KEY) ||
    (backlog > MAX_HELD_BACK && silentMs > patienceMs)
  );
}

/** Whether a decoder takes units and gives nothing: some platforms' hardware does that when it has too many to do. */
export function isMute(backlog: number, silentMs: number, { isHardwareOnly }: DecoderSetup): boolean {
  return backlog > MAX_HELD_BACK && silentMs > (isHardwareOnly ? PATIENT_WATCHDOG_MS : WATCHDOG_MS);
}

/** Whether there is no use in another decoder, after so many in a row that failed without a picture. */
export function isHopeless(fruitless: number, { isHardwareOnly }: DecoderSetup): boolean {
  return isHardwareOnly === true && fruitless >= MAX_FRUITLESS;
}

function isSame(left: DecoderSetup, right: DecoderSetup): boolean {
  return left.identity === right.identity && left.prefersSoftware === right.prefersSoftware;
}
