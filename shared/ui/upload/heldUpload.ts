// The gateway's upload of the dialog's file. A member has room for three uploads, each for a day, so an upload that is no longer
// wanted is dropped there too.
import { dropUpload } from '../../api/uploads.ts';

export interface UploadRun {
  readonly signal: AbortSignal;
  /** The gateway has given the upload an id. May come after the run has ended. */
  readonly onBegun: (id: string) => void;
  /** Not once it was paused, dropped or replaced: what it reports then comes late. */
  readonly isCurrent: () => boolean;
}

type Fate = 'running' | 'kept' | 'dropped';

export class HeldUpload {
  #abort: AbortController | undefined;
  #fate: { now: Fate } = { now: 'kept' };
  /** '' until the gateway has something. */
  #id = '';

  run(): UploadRun {
    this.#end('kept');
    const abort = new AbortController();
    const fate: { now: Fate } = { now: 'running' };
    this.#abort = abort;
    this.#fate = fate;
    return {
      signal: abort.signal,
      onBegun: (id) => {
        if (fate.now === 'dropped') void dropUpload(id);
        else this.#id = id;
      },
      isCurrent: () => fate.now === 'running',
    };
  }

  /** The same file goes on later where it stopped. */
  keep(): void {
    this.#end('kept');
  }

  drop(): void {
    this.#end('dropped');
    if (this.#id !== '') void dropUpload(this.#id);
    this.#id = '';
  }

  /** The dialog is gone: what was paused may go on in the next one. */
  leave(): void {
    if (this.#fate.now === 'running') this.drop();
  }

  /** The gateway has taken it over, and keeps it. */
  release(): void {
    this.#end('kept');
    this.#id = '';
  }

  #end(fate: Fate): void {
    this.#fate.now = fate;
    this.#abort?.abort();
  }
}
