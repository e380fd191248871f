// The page's line of live updates, as a gateway that says what the test wants.
import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { closePageLive } from '../../../shared/live/pageLive.ts';

/** The state of a WebSocket in which it sends. */
const OPEN = 1;

export class FakeSocket {
  readonly readyState = OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: string[] = [];

  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {}

  open(): void {
    act(() => this.onopen?.());
  }
  tell(message: object): void {
    act(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }
  /** Records of these kinds were edited. */
  changed(...records: readonly string[]): void {
    this.tell({ type: 'changed', records });
  }
  break(): void {
    act(() => this.onclose?.());
  }
}

/** Replaces the browser's WebSocket until the test has finished; gives all that the page opens, in order. */
export function fakeSockets(): readonly FakeSocket[] {
  const sockets: FakeSocket[] = [];
  vi.stubGlobal(
    'WebSocket',
    class extends FakeSocket {
      constructor() {
        super();
        sockets.push(this);
      }
    },
  );
  onTestFinished(closePageLive);
  return sockets;
}
