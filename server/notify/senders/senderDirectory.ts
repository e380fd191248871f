// Senders ready for use: settings with the opened secret, kept in memory between edits.
import type { NotifySenderStore, StoredSender } from '../../store/notify/notifySenders.ts';
import type { OpenedSender } from '../outgoing.ts';
import { type SecretBox, senderContext } from './secretBox.ts';

export interface DirectorySender extends OpenedSender {
  readonly enabled: boolean;
  /** 0: no limit. */
  readonly perMinute: number;
}

export interface SenderDirectoryDeps {
  readonly store: Pick<NotifySenderStore, 'all'>;
  readonly box: SecretBox;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Time for which senders are kept: another gateway may edit senders of the same database. */
const KEPT_MS = 60_000;

export class SenderDirectory {
  readonly #deps: SenderDirectoryDeps;
  #kept: { readonly untilMs: number; readonly senders: Promise<ReadonlyMap<number, DirectorySender>> } | undefined;

  constructor(deps: SenderDirectoryDeps) {
    this.#deps = deps;
  }

  /** Undefined for a sender that no longer exists. */
  async open(id: number): Promise<DirectorySender | undefined> {
    return (await this.#senders()).get(id);
  }

  async all(): Promise<readonly DirectorySender[]> {
    return [...(await this.#senders()).values()];
  }

  /** Senders were edited: the next question reads them again. */
  forget(): void {
    this.#kept = undefined;
  }

  #senders(): Promise<ReadonlyMap<number, DirectorySender>> {
    const now = this.#deps.now();
    if (this.#kept !== undefined && this.#kept.untilMs > now) return this.#kept.senders;
    const senders = this.#read();
    const kept = { untilMs: now + KEPT_MS, senders };
    this.#kept = kept;
    // A failed read is not kept; the caller gets the error.
    senders.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return senders;
  }

  async #read(): Promise<ReadonlyMap<number, DirectorySender>> {
    const stored = await this.#deps.store.all();
    return new Map(stored.map((sender) => [sender.id, openSender(sender, this.#deps.box)]));
  }
}

export function openSender(sender: StoredSender, box: SecretBox): DirectorySender {
  const { id, name, kind, settings, sealedSecret, enabled, perMinute } = sender;
  const opened = sealedSecret === '' ? '' : box.open(sealedSecret, senderContext(id));
  const secret = opened ?? '';
  return { id, name, kind, settings, secret, isSecretLost: opened === undefined, enabled, perMinute };
}
