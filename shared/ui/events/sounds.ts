// The sounds of events, made as they are played: no files to load, and none to miss once the network is gone.
import { EVENT_SOUNDS, type EventSound } from '../../protocol/api/eventTypes.ts';
import { type AudibleSound, lengthOfSound, TONES, type Tone } from './soundTones.ts';

export type SoundOutcome =
  | 'played'
  /** Nothing to play, or a sound that is as urgent is still heard. */
  | 'skipped'
  /** The browser plays nothing before the user has clicked or typed in the page, or there is nothing to play it with. */
  | 'blocked';

export interface EventSoundsDeps {
  /** Throws where there is no sound. */
  readonly createContext: () => AudioContext;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

/** Share of the full volume, so that no sound hurts with headphones on. */
const LEVEL = 0.2;
/** A tone that begins or ends at once clicks. */
const FADE_S = 0.015;
/** A context that may play runs within some milliseconds; one that may not says nothing at all. */
const START_MS = 500;

interface Playing {
  readonly urgency: number;
  readonly endsAtS: number;
  readonly stop: () => void;
}

/** One sound at a time. Owns its audio context. */
export class EventSounds {
  readonly #deps: EventSoundsDeps;
  #context: AudioContext | undefined;
  #playing: Playing | undefined;

  constructor(deps: EventSoundsDeps) {
    this.#deps = deps;
  }

  /** Interrupts a less urgent sound or, with `replaces`, any. */
  async play(sound: EventSound, { replaces = false } = {}): Promise<SoundOutcome> {
    if (sound === 'none') return 'skipped';
    const context = this.#open();
    if (context === undefined || !(await this.#isRunning(context))) return 'blocked';
    const urgency = EVENT_SOUNDS.indexOf(sound);
    if (!replaces && this.#isHeard(context, urgency)) return 'skipped';
    this.#playing?.stop();
    this.#playing = { urgency, endsAtS: context.currentTime + lengthOfSound(sound), stop: startTones(context, sound) };
    return 'played';
  }

  #open(): AudioContext | undefined {
    try {
      this.#context ??= this.#deps.createContext();
    } catch (error) {
      console.warn('there is no sound', error);
    }
    return this.#context;
  }

  async #isRunning(context: AudioContext): Promise<boolean> {
    if (context.state === 'running') return true;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.runAfter(START_MS, resolve);
      const settle = (): void => {
        cancel();
        resolve();
      };
      context.resume().then(settle, settle);
    });
    return isRunning(context);
  }

  #isHeard({ currentTime }: AudioContext, urgency: number): boolean {
    const playing = this.#playing;
    return playing !== undefined && playing.endsAtS > currentTime && playing.urgency >= urgency;
  }
}

/** A function of its own, because the compiler assumes that a state that was read stays the same. */
function isRunning({ state }: AudioContext): boolean {
  return state === 'running';
}

/** Returns a function that ends the sound early. */
function startTones(context: AudioContext, sound: AudibleSound): () => void {
  const volume = context.createGain();
  volume.connect(context.destination);
  const startS = context.currentTime;
  const tones = TONES[sound].map((tone) => startTone(context, volume, { ...tone, atS: startS + tone.atS }));
  return () => {
    for (const tone of tones) tone.stop();
    volume.disconnect();
  };
}

function startTone(context: AudioContext, volume: GainNode, { atS, lengthS, fromHz, toHz }: Tone): OscillatorNode {
  const endS = atS + lengthS;
  const envelope = context.createGain();
  envelope.gain.setValueAtTime(0, atS);
  envelope.gain.linearRampToValueAtTime(LEVEL, atS + FADE_S);
  envelope.gain.setValueAtTime(LEVEL, endS - FADE_S);
  envelope.gain.linearRampToValueAtTime(0, endS);
  envelope.connect(volume);
  const oscillator = context.createOscillator();
  oscillator.frequency.setValueAtTime(fromHz, atS);
  oscillator.frequency.linearRampToValueAtTime(toHz, endS);
  oscillator.connect(envelope);
  oscillator.start(atS);
  oscillator.stop(endS);
  return oscillator;
}

const pageSounds = new EventSounds({
  createContext: () => new AudioContext({ latencyHint: 'interactive' }),
  runAfter: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
});

/** Plays the sound of an event, unless one as urgent is still heard. Call it in the handler of a click to lift the browser's block. */
export function playSound(sound: EventSound): Promise<SoundOutcome> {
  return pageSounds.play(sound);
}

/** Plays the sound that the user wants to hear now, whatever is playing. */
export function previewSound(sound: EventSound): Promise<SoundOutcome> {
  return pageSounds.play(sound, { replaces: true });
}
