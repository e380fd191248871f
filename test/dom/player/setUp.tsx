// What component tests of the player share: languages from the product's own files, workers of the test's making, and the
// parts of a browser that happy-dom leaves out.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next/initReactI18next';
import { vi } from 'vitest';
import errors from '../../../public/locales/en/Errors.json' with { type: 'json' };
import live from '../../../public/locales/en/Live.json' with { type: 'json' };
import player from '../../../public/locales/en/Player.json' with { type: 'json' };
import { PlayerEngine } from '../../../shared/player/engine/engine.ts';
import { FakeWorker } from '../../unit/shared/player/engine/fakeWorkers.ts';

export async function startEnglish(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['Live', 'Player', 'Errors'],
    resources: { en: { Live: live, Player: player, Errors: errors } },
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
}

export interface FakePlayer {
  readonly engine: PlayerEngine;
  readonly stream: FakeWorker;
  readonly video: FakeWorker;
}

/** An engine on two workers that have started. */
export function fakePlayer(): FakePlayer {
  const stream = new FakeWorker();
  const video = new FakeWorker();
  const engine = new PlayerEngine({ stream, video });
  stream.say({ type: 'ready' });
  video.say({ type: 'ready', webCodecs: true });
  return { engine, stream, video };
}

/** Canvases that can be handed over, once each as in a browser, and an observer that the test drives. */
export function stubBrowserParts(): {
  readonly resize: (width: number, height: number) => void;
  readonly observed: Set<Element>;
} {
  const handedOver = new WeakSet<HTMLCanvasElement>();
  HTMLCanvasElement.prototype.transferControlToOffscreen = function transfer(): OffscreenCanvas {
    if (handedOver.has(this)) throw new DOMException('the canvas was handed over before', 'InvalidStateError');
    handedOver.add(this);
    return { of: this } as unknown as OffscreenCanvas;
  };
  const observed = new Set<Element>();
  const callbacks = new Set<ResizeObserverCallback>();
  class FakeResizeObserver {
    readonly #callback: ResizeObserverCallback;
    #element: Element | undefined;
    constructor(callback: ResizeObserverCallback) {
      this.#callback = callback;
      callbacks.add(callback);
    }
    observe(element: Element): void {
      this.#element = element;
      observed.add(element);
    }
    unobserve(): void {}
    disconnect(): void {
      callbacks.delete(this.#callback);
      if (this.#element !== undefined) observed.delete(this.#element);
    }
  }
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver);
  const resize = (width: number, height: number) => {
    const entry = { devicePixelContentBoxSize: [{ inlineSize: width, blockSize: height }] };
    for (const callback of callbacks) callback([entry as unknown as ResizeObserverEntry], {} as ResizeObserver);
  };
  return { resize, observed };
}

/** Sees everything: it never says that something is out of view. */
class FakeIntersectionObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
