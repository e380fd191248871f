import type { WorkerLike } from '../../../../../shared/player/engine/workerLink.ts';

/** A worker that notes what it gets; the test speaks for it. */
export class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  readonly posted: { readonly type: string }[] = [];
  readonly transferred: Transferable[][] = [];
  isTerminated = false;

  postMessage(message: unknown, transfer: Transferable[]): void {
    this.posted.push(message as { type: string });
    this.transferred.push(transfer);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(message: unknown): void {
    this.onmessage?.({ data: message } as MessageEvent);
  }

  get types(): string[] {
    return this.posted.map((message) => message.type);
  }
}
