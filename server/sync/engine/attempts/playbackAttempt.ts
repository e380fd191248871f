// One attempt to fetch an item's recording by having the device play it, as fast as it can without leaving pictures out.
import type { SyncFault } from '../../../../shared/protocol/sync/syncWords.ts';
import type { RemoteFailure, RemoteFeed, RemoteListener, RemoteSource } from '../../../device/playback/remoteSource.ts';
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import { type HubPacket, timesOf } from '../../../media/hubPacket.ts';
import type { Ingest, IngestOutcome, IngestStream } from '../../ingest/ingest.ts';
import type { AttemptEnd } from '../afterAttempt.ts';
import { type Attempt, askedUntil, ingestTargetOf, whenAborted } from './attempt.ts';
import { GroupGate } from './groupGate.ts';
import { PlaybackEnd } from './playbackEnd.ts';
import { Silence } from './silence.ts';

export interface PlaybackAttemptDeps {
  readonly source: RemoteSource;
  readonly ingest: Pick<Ingest, 'stream'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Playback speeds of 0x9202. */
const SPEEDS = [16, 8, 4, 2] as const;
const SILENCE_MS = 60_000;
/** Size of one playback that is fetched, the same as for an upload. It is ended, and the item fails with `too-large`. */
export const PLAYBACK_BYTES_LIMIT: Limit = { name: 'sync.playback.bytes', max: 4 * 1024 ** 3 };
const LONGEST_MS = 2 * 60 * 60_000;
/** Tolerance for the time from the last picture to the end of its group, and for clocks in whole seconds. */
const END_MS = 15_000;

export async function fetchByPlayback(
  attempt: Attempt,
  isSlow: boolean,
  deps: PlaybackAttemptDeps,
): Promise<AttemptEnd> {
  const { device, item, deviceFromMs, signal } = attempt;
  const order = {
    deviceId: device.deviceId,
    channel: item.channel,
    quality: item.stream,
    start: deviceFromMs,
    end: askedUntil(attempt),
    use: 'sync',
  } as const;
  const receiver = new Receiver(attempt, deps);
  try {
    const opened = await deps.source.open(order, receiver, signal);
    if (!opened.ok) return signal.aborted ? { kind: 'stopped' } : endOfFailure(opened.code);
    attempt.onState('running');
    receiver.begin(opened.feed);
    if (!isSlow) await receiver.hurry();
    return await receiver.finished();
  } finally {
    receiver.close();
  }
}

function endOfFailure(code: RemoteFailure): AttemptEnd {
  switch (code) {
    case 'nothing-recorded':
      return { kind: 'nothing-there' };
    case 'device-refused':
      return { kind: 'unusable', fault: 'refused' };
    case 'device-no-answer':
      return failed('no-answer');
    case 'device-offline':
      return failed('disconnected');
  }
}

type How =
  | 'terminal'
  /** The device plays on after the end of the requested span. */
  | 'past-end'
  | 'offline'
  | 'silent'
  | 'too-large'
  | 'too-long'
  | 'aborted'
  | 'too-fast';

class Receiver implements RemoteListener {
  readonly #attempt: Attempt;
  readonly #deps: PlaybackAttemptDeps;
  readonly #stream: IngestStream;
  readonly #silence: Silence;
  readonly #over: Promise<How>;
  readonly #playbackEnd: PlaybackEnd;
  readonly #cancelLongest: () => void;
  #end: (how: How) => void = () => undefined;
  #feed: RemoteFeed | undefined;
  /** Defined while the device may play faster than normal. */
  #gate: GroupGate | undefined;
  #letGo: () => void = () => undefined;
  #isOver = false;
  #isStreamEnded = false;
  #lastDeviceMs = 0;
  #receivedBytes = 0;

  constructor(attempt: Attempt, deps: PlaybackAttemptDeps) {
    this.#attempt = attempt;
    this.#deps = deps;
    this.#stream = deps.ingest.stream(ingestTargetOf(attempt));
    this.#silence = new Silence({ ...deps, silenceMs: SILENCE_MS, hold: attempt.hold });
    this.#over = new Promise((resolve) => {
      this.#end = (how) => {
        this.#isOver = true;
        resolve(how);
      };
    });
    this.#playbackEnd = new PlaybackEnd(attempt);
    this.#cancelLongest = deps.runAfter(LONGEST_MS, () => this.#end('too-long'));
  }

  begin(feed: RemoteFeed): void {
    this.#feed = feed;
    const { hold, signal } = this.#attempt;
    if (hold.isHeld) feed.hold(true);
    const stopHolding = hold.subscribe((isHeld) => feed.hold(isHeld));
    // This happens at once, whatever is awaited: the stop command would otherwise reach the device after another request for its card,
    // and end that.
    const close = (): void => feed.close();
    signal.addEventListener('abort', close);
    this.#letGo = () => {
      stopHolding();
      signal.removeEventListener('abort', close);
    };
  }

  /** Plays at the highest speed that the device supports. */
  async hurry(): Promise<void> {
    const feed = this.#feed;
    if (feed === undefined) return;
    const gate = new GroupGate();
    this.#gate = gate;
    for (const speed of SPEEDS) {
      if (this.#isOver || this.#attempt.signal.aborted) return;
      if (await feed.fastForward(speed)) return;
    }
    this.#gate = undefined;
    if (!this.#isOver) this.#keep(gate.release());
  }

  packet(packet: HubPacket): void {
    if (this.#isOver) return;
    this.#silence.noise();
    const { bytes, isVideo, isKey } = packet;
    this.#attempt.onBytes(bytes.byteLength);
    this.#receivedBytes += bytes.byteLength;
    if (this.#receivedBytes >= PLAYBACK_BYTES_LIMIT.max) {
      this.#deps.onLimit(PLAYBACK_BYTES_LIMIT);
      this.#end('too-large');
      return;
    }
    // Sound may be seconds before or after its pictures.
    if (isVideo && isKey && this.#playbackEnd.isBehind(timesOf(packet), this.#feed?.recordedEnd)) {
      this.#end('past-end');
      return;
    }
    const kept = this.#gate?.add(packet) ?? [packet];
    if (kept === 'key-frames-alone') this.#end('too-fast');
    else this.#keep(kept);
  }

  ended(reason: 'terminal' | 'offline'): void {
    this.#end(reason);
  }

  close(): void {
    this.#silence.close();
    this.#cancelLongest();
    this.#letGo();
    this.#feed?.close();
    this.#attempt.hold.set('writing', false);
    if (this.#isStreamEnded) return;
    this.#isStreamEnded = true;
    inBackground('what a device has played could not be kept', this.#stream.end('cut-off'), this.#deps.onFault);
  }

  async finished(): Promise<AttemptEnd> {
    const { aborted, off } = whenAborted(this.#attempt.signal);
    const ended = await Promise.race([this.#over, this.#silence.silent, aborted]);
    off();
    this.#isOver = true;
    this.#feed?.close();
    const isAtEnd = ended === 'terminal' || ended === 'past-end';
    const how = isAtEnd && this.#gate?.isHolding === true ? 'too-fast' : ended;
    if (how !== 'aborted' && how !== 'too-fast') this.#attempt.onState('checking');
    this.#isStreamEnded = true;
    const outcome = await this.#stream.end(this.#isComplete(how) ? 'whole' : 'cut-off');
    if (how === 'aborted') return { kind: 'stopped' };
    if (how === 'too-fast') return { kind: 'too-fast' };
    return this.#endOf(how, outcome);
  }

  #endOf(how: Exclude<How, 'aborted' | 'too-fast'>, outcome: IngestOutcome): AttemptEnd {
    if (outcome.kind === 'failed') return failed(outcome.fault, outcome.addedMs);
    if (outcome.kind === 'unreadable') return { kind: 'unusable', fault: 'unreadable' };
    if (this.#isComplete(how) && (this.#lastDeviceMs > 0 || outcome.bytes > 0)) return { kind: 'stored' };
    const { addedMs } = outcome;
    if (how === 'offline') return failed('disconnected', addedMs);
    if (how === 'too-large') return failed('too-large', addedMs);
    return failed(outcome.bytes === 0 ? 'nothing-sent' : 'incomplete', addedMs);
  }

  /** Whether nothing of the item comes later. Without dates only the device knows. */
  #isComplete(how: How): boolean {
    if (how === 'aborted' || how === 'too-fast' || how === 'too-large') return false;
    if (how === 'past-end') return true;
    return this.#lastDeviceMs > 0 ? this.#reachedEnd() : how === 'terminal';
  }

  #reachedEnd(): boolean {
    const endMs = Math.min(this.#attempt.deviceToMs, this.#feed?.recordedEnd ?? Number.POSITIVE_INFINITY);
    return this.#lastDeviceMs >= endMs - END_MS;
  }

  #keep(packets: readonly HubPacket[]): void {
    for (const packet of packets) {
      this.#lastDeviceMs = Math.max(this.#lastDeviceMs, timesOf(packet).deviceTimeMs);
      if (!this.#stream.packet(packet)) this.#waitForDisk();
    }
  }

  #waitForDisk(): void {
    const { hold } = this.#attempt;
    if (hold.has('writing')) return;
    hold.set('writing', true);
    const drained = this.#stream.drained().then(() => hold.set('writing', false));
    inBackground('what a device plays could not be written', drained, this.#deps.onFault);
  }
}

function failed(fault: SyncFault, addedMs = 0): AttemptEnd {
  return { kind: 'failed', fault, addedMs };
}
