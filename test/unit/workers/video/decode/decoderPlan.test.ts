import { describe, expect, it } from 'vitest';
import {
  type Decision,
  type DecoderPhase,
  type DecoderSetup,
  MAX_BACKLOG,
  MAX_BACKLOG_AT_KEY,
  MAX_SILENCE_MS,
  planUnit,
  type UnitFacts,
} from '../../../../../workers/video/decode/decoderPlan.ts';

const small: DecoderSetup = { codec: 'avc1.42c00d', name: 'H.264', identity: 'small', prefersSoftware: false };
const large: DecoderSetup = { codec: 'avc1.640028', name: 'H.264', identity: 'large', prefersSoftware: false };

const unconfigured: DecoderPhase = { kind: 'unconfigured' };
const waiting: DecoderPhase = { kind: 'waiting-key', setup: small };
const decoding: DecoderPhase = { kind: 'decoding', setup: small };
const failed: DecoderPhase = { kind: 'failed', identity: 'small' };

const delta: UnitFacts = { key: false, setup: undefined, backlog: 0, silentMs: 0 };
const keyOf = (setup: DecoderSetup | undefined, backlog = 0): UnitFacts => ({ ...delta, key: true, setup, backlog });
const silent = (backlog: number, silentMs: number): UnitFacts => ({ ...keyOf(small, backlog), silentMs });
const configure = (setup: DecoderSetup, discards = false): Decision => ({ kind: 'configure', setup, discards });

describe('planUnit', () => {
  it.each<[string, DecoderPhase, UnitFacts, Decision]>([
    ['a delta before any key frame is skipped', unconfigured, delta, { kind: 'skip' }],
    ['a delta while a key frame is missing is skipped', waiting, delta, { kind: 'skip' }],
    ['a delta of a running group is decoded', decoding, delta, { kind: 'decode' }],
    ['a delta of a failed set-up is skipped', failed, delta, { kind: 'skip' }],
    ['the first key frame sets the decoder up', unconfigured, keyOf(small), configure(small)],
    ['a key frame without parameter sets cannot', unconfigured, keyOf(undefined), { kind: 'skip' }],
    ['the same parameter set again is a plain key frame', decoding, keyOf(small), { kind: 'decode' }],
    ['a key frame ends the waiting', waiting, keyOf(small), { kind: 'decode' }],
    ['a key frame without parameter sets goes on with the known one', waiting, keyOf(undefined), { kind: 'decode' }],
    ['another parameter set sets the decoder up anew', decoding, keyOf(large), configure(large)],
    [
      'so does a change to software',
      decoding,
      keyOf({ ...small, prefersSoftware: true }),
      configure({ ...small, prefersSoftware: true }),
    ],
    ['what cannot be decoded is not tried again', failed, keyOf(small), { kind: 'skip' }],
    ['something else is', failed, keyOf(large), configure(large)],
    [
      'a decoder far behind starts afresh at a key frame',
      decoding,
      keyOf(small, MAX_BACKLOG_AT_KEY + 1),
      configure(small, true),
    ],
    [
      'but not where it would show nothing for a while',
      decoding,
      { ...keyOf(small, MAX_BACKLOG), isRecovering: true },
      { kind: 'decode' },
    ],
    ['one a little behind does not', decoding, keyOf(small, MAX_BACKLOG_AT_KEY), { kind: 'decode' }],
    ['one that says nothing for long does', decoding, silent(11, MAX_SILENCE_MS + 1), configure(small, true)],
    ['one that has been given nothing for long does not', decoding, silent(11, 40), { kind: 'decode' }],
    ['nor one that holds a few pictures back for their order', decoding, silent(3, 60_000), { kind: 'decode' }],
    [
      'a decoder far behind gets its deltas: one dropped smears the rest',
      decoding,
      { ...delta, backlog: 200 },
      { kind: 'decode' },
    ],
    ['until they are past all measure', decoding, { ...delta, backlog: MAX_BACKLOG + 1 }, { kind: 'await-key' }],
  ])('%s', (_name, phase, unit, decision) => {
    expect(planUnit(phase, unit)).toEqual(decision);
  });
});
