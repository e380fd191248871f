import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EventSounds } from '../../../../../shared/ui/events/sounds.ts';
import { lengthOfSound, TONES } from '../../../../../shared/ui/events/soundTones.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

interface Heard {
  readonly fromHz: number;
  readonly startS: number;
  stopS: number;
}

/** The part of a browser's sound that the sounds of events use. */
class FakeContext {
  state: AudioContextState;
  currentTime = 0;
  readonly destination = {};
  readonly heard: Heard[] = [];
  readonly levels: number[] = [];
  readonly #isAllowed: boolean;

  constructor(state: AudioContextState, isAllowed: boolean) {
    this.state = state;
    this.#isAllowed = isAllowed;
  }

  /** A browser that does not allow it never answers. */
  async resume(): Promise<void> {
    if (!this.#isAllowed) return new Promise(() => undefined);
    this.state = 'running';
  }

  createGain() {
    const note = (level: number) => void this.levels.push(level);
    const gain = { setValueAtTime: note, linearRampToValueAtTime: note };
    return { gain, connect: () => undefined, disconnect: () => this.#silence() };
  }

  createOscillator() {
    const tone: Heard = { fromHz: 0, startS: 0, stopS: 0 };
    const note = (part: Partial<Heard>): void => {
      Object.assign(tone, part);
    };
    const setValueAtTime = (fromHz: number) => note({ fromHz });
    return {
      frequency: { setValueAtTime, linearRampToValueAtTime: () => undefined },
      connect: () => undefined,
      start: (startS: number) => {
        note({ startS });
        this.heard.push(tone);
      },
      stop: (stopS = this.currentTime) => note({ stopS }),
    };
  }

  #silence(): void {
    for (const tone of this.heard) tone.stopS = Math.min(tone.stopS, this.currentTime);
  }
}

let timers: ManualTimers;
beforeEach(() => {
  timers = new ManualTimers();
});

function soundsOn(context: FakeContext): EventSounds {
  return new EventSounds({ createContext: () => context as unknown as AudioContext, runAfter: timers.runAfter });
}

describe('the sounds of a page', () => {
  test('play the tones of a sound, softly, one after another', async () => {
    const context = new FakeContext('running', true);
    context.currentTime = 5;
    expect(await soundsOn(context).play('siren')).toBe('played');
    expect(context.heard.map(({ fromHz, startS }) => [fromHz, startS])).toEqual(
      TONES.siren.map(({ fromHz, atS }) => [fromHz, 5 + atS]),
    );
    expect(Math.max(...context.levels)).toBeLessThanOrEqual(0.25);
  });

  test('play nothing for a type without a sound, and open none for it', async () => {
    const createContext = vi.fn();
    const sounds = new EventSounds({ createContext, runAfter: timers.runAfter });
    expect(await sounds.play('none')).toBe('skipped');
    expect(createContext).not.toHaveBeenCalled();
  });

  test('play once the browser allows it, as after a click', async () => {
    const context = new FakeContext('suspended', true);
    expect(await soundsOn(context).play('chime')).toBe('played');
    expect(timers.pending).toBe(0);
  });

  test('say that the browser plays nothing, and play nothing late', async () => {
    const context = new FakeContext('suspended', false);
    const outcome = soundsOn(context).play('alarm');
    timers.advance(500);
    expect(await outcome).toBe('blocked');
    expect(context.heard).toEqual([]);
  });

  test('say so where there is nothing to play with', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const createContext = () => {
      throw new Error('no device');
    };
    const sounds = new EventSounds({ createContext, runAfter: timers.runAfter });
    expect(await sounds.play('alarm')).toBe('blocked');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  test('leave a sound alone that is as urgent, and give way to one that is more urgent', async () => {
    const context = new FakeContext('running', true);
    const sounds = soundsOn(context);
    await sounds.play('alert');
    context.currentTime = 0.1;
    expect(await sounds.play('alert')).toBe('skipped');
    expect(await sounds.play('chime')).toBe('skipped');
    expect(context.heard).toHaveLength(TONES.alert.length);
    expect(await sounds.play('siren')).toBe('played');
    const before = context.heard.slice(0, TONES.alert.length);
    expect(before.every(({ stopS }) => stopS <= 0.1)).toBe(true);
  });

  test('play the next one once the one before is over', async () => {
    const context = new FakeContext('running', true);
    const sounds = soundsOn(context);
    await sounds.play('siren');
    context.currentTime = lengthOfSound('siren');
    expect(await sounds.play('chime')).toBe('played');
  });

  test('play at once what somebody wants to hear', async () => {
    const context = new FakeContext('running', true);
    const sounds = soundsOn(context);
    await sounds.play('siren');
    expect(await sounds.play('chime', { replaces: true })).toBe('played');
    expect(context.heard.slice(0, TONES.siren.length).every(({ stopS }) => stopS === 0)).toBe(true);
  });

  test('share one context', async () => {
    const createContext = vi.fn(() => new FakeContext('running', true) as unknown as AudioContext);
    const sounds = new EventSounds({ createContext, runAfter: timers.runAfter });
    await sounds.play('chime');
    await sounds.play('siren');
    expect(createContext).toHaveBeenCalledOnce();
  });
});
