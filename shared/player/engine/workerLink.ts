// The page's end of a worker: what is posted waits until the worker says that it runs, because what is transferred to
// one that never starts is lost.

/** The part of a Worker that is used here. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
}

export interface WorkerLinkEvents<From> {
  /** Every message, `ready` included. */
  readonly onMessage: (message: From) => void;
  /** The worker did not load, or an exception in it was not caught. */
  readonly onBroken: (message: string) => void;
}

/** Owns the worker. */
export class WorkerLink<To, From extends { readonly type: string }> {
  readonly #worker: WorkerLike;
  #waiting: [message: To, transfer: Transferable[]][] | undefined = [];

  constructor(worker: WorkerLike, events: WorkerLinkEvents<From>) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<From>) => {
      if (data.type === 'ready') this.#flush();
      events.onMessage(data);
    };
    worker.onerror = (event) => events.onBroken(event.message ?? 'the worker did not load');
    worker.onmessageerror = () => events.onBroken('a message could not be read');
  }

  post(message: To, transfer: Transferable[] = []): void {
    if (this.#waiting === undefined) this.#worker.postMessage(message, transfer);
    else this.#waiting.push([message, transfer]);
  }

  /** Safe to call twice. */
  close(): void {
    this.#waiting = [];
    this.#worker.onmessage = null;
    this.#worker.onerror = null;
    this.#worker.onmessageerror = null;
    this.#worker.terminate();
  }

  #flush(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const [message, transfer] of waiting) this.#worker.postMessage(message, transfer);
  }
}
