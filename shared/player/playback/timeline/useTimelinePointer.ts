import { useEffect, useRef, useState } from 'react';
import type { PlaybackController } from '../playbackController.ts';
import { spanOf, timeAt } from './timelineView.ts';
import type { ViewControl } from './useTimelineView.ts';

export interface TimelinePointerOptions {
  readonly bar: HTMLElement | null;
  readonly session: PlaybackController;
  readonly control: ViewControl;
}

/** One notch of a wheel. */
const WHEEL_PIXELS = 100;
/** A wheel that is turned so fast does not lose the viewer. */
const MOST_ZOOM = 4;

type Gesture =
  | { readonly kind: 'scrub'; readonly pointerId: number }
  /** With the middle button, with Shift, or after a second finger has come and one of both has gone. */
  | { readonly kind: 'pan'; readonly pointerId: number; readonly lastX: number }
  | { readonly kind: 'pinch'; readonly distance: number; readonly centre: number };

/** Makes the bar answer to mouse, pen, fingers and wheel. Gives where a mouse points, in pixels; undefined while none does. */
export function useTimelinePointer({ bar, session, control }: TimelinePointerOptions): number | undefined {
  const [hover, setHover] = useState<number>();
  const current = useRef(control);
  useEffect(() => {
    current.current = control;
  });
  useEffect(() => {
    if (bar === null) return;
    const pointer = new TimelinePointer(bar, session, current, setHover);
    return () => pointer.close();
  }, [bar, session]);
  return hover;
}

class TimelinePointer {
  readonly #bar: HTMLElement;
  readonly #session: PlaybackController;
  readonly #control: { readonly current: ViewControl };
  readonly #setHover: (x: number | undefined) => void;
  readonly #pointers = new Map<number, number>();
  readonly #listening = new AbortController();
  #gesture: Gesture | undefined;

  constructor(
    bar: HTMLElement,
    session: PlaybackController,
    control: { readonly current: ViewControl },
    setHover: (x: number | undefined) => void,
  ) {
    this.#bar = bar;
    this.#session = session;
    this.#control = control;
    this.#setHover = setHover;
    const { signal } = this.#listening;
    bar.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    bar.addEventListener('pointermove', (event) => this.#move(event), { signal });
    bar.addEventListener('pointerup', (event) => this.#up(event), { signal });
    bar.addEventListener('pointercancel', (event) => this.#up(event), { signal });
    bar.addEventListener('pointerleave', () => setHover(undefined), { signal });
    // Not passive: the page must not scroll or zoom with it.
    bar.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
  }

  close(): void {
    this.#listening.abort();
    this.#end();
  }

  #xOf(event: MouseEvent): number {
    return event.clientX - this.#bar.getBoundingClientRect().left;
  }

  #timeAt(x: number): number {
    return timeAt(this.#control.current.view, x, this.#bar.clientWidth);
  }

  #down(event: PointerEvent): void {
    if (event.button > 1) return;
    event.preventDefault();
    this.#bar.focus({ preventScroll: true });
    this.#bar.setPointerCapture(event.pointerId);
    const x = this.#xOf(event);
    this.#pointers.set(event.pointerId, x);
    this.#control.current.setHeld(true);
    if (this.#pointers.size === 2) this.#startPinch();
    else if (event.button === 1 || event.shiftKey)
      this.#gesture = { kind: 'pan', pointerId: event.pointerId, lastX: x };
    else if (this.#pointers.size === 1) this.#startScrub(event.pointerId, x);
  }

  #startScrub(pointerId: number, x: number): void {
    this.#gesture = { kind: 'scrub', pointerId };
    this.#session.startDrag();
    this.#session.seek(this.#timeAt(x));
  }

  #startPinch(): void {
    if (this.#gesture?.kind === 'scrub') this.#session.endDrag();
    this.#gesture = { kind: 'pinch', ...this.#spread() };
  }

  #spread(): { readonly distance: number; readonly centre: number } {
    const [first = 0, second = 0] = this.#pointers.values();
    return { distance: Math.max(Math.abs(first - second), 1), centre: (first + second) / 2 };
  }

  #move(event: PointerEvent): void {
    const x = this.#xOf(event);
    if (event.pointerType !== 'touch') this.#setHover(Math.min(Math.max(x, 0), this.#bar.clientWidth));
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, x);
    const gesture = this.#gesture;
    switch (gesture?.kind) {
      case 'scrub':
        this.#session.seek(this.#timeAt(x));
        return;
      case 'pan':
        this.#pan(gesture.lastX - x);
        this.#gesture = { ...gesture, lastX: x };
        return;
      case 'pinch': {
        const spread = this.#spread();
        this.#pan(gesture.centre - spread.centre);
        this.#control.current.zoom(spread.distance / gesture.distance, this.#timeAt(spread.centre));
        this.#gesture = { kind: 'pinch', ...spread };
        return;
      }
      case undefined:
        return;
    }
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    const [rest] = this.#pointers;
    if (rest === undefined) this.#end();
    else this.#gesture = { kind: 'pan', pointerId: rest[0], lastX: rest[1] };
  }

  #end(): void {
    if (this.#gesture?.kind === 'scrub') this.#session.endDrag();
    this.#gesture = undefined;
    this.#pointers.clear();
    this.#control.current.setHeld(false);
  }

  #pan(pixels: number): void {
    const { view, pan } = this.#control.current;
    pan((pixels / Math.max(this.#bar.clientWidth, 1)) * spanOf(view));
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isAcross) {
      this.#pan((event.deltaX || event.deltaY) * unit);
      return;
    }
    const factor = 1.4 ** ((-event.deltaY * unit) / WHEEL_PIXELS);
    this.#control.current.zoom(Math.min(Math.max(factor, 1 / MOST_ZOOM), MOST_ZOOM), this.#timeAt(this.#xOf(event)));
  }
}
