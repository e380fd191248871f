// Browsers that members have allowed to show notifications: adding and removing them, and the data needed to reach them.
import { isIP } from 'node:net';
import type { PushSubscriptionContent } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { AllowedBrowser, PushSubscriptionStore } from '../../../store/notify/pushSubscriptions.ts';
import type { Guard } from '../guard/guard.ts';
import { isPublicAddress } from '../guard/publicAddress.ts';
import { pushContext, type SecretBox, sha256Hex } from '../secretBox.ts';
import type { SenderDirectory } from '../senderDirectory.ts';
import type { VapidKeys } from './vapidKeys.ts';

export interface PushBrowsersDeps {
  readonly store: PushSubscriptionStore;
  readonly box: SecretBox;
  readonly guard: Guard;
  readonly directory: Pick<SenderDirectory, 'all'>;
  readonly vapidKeys: () => Promise<VapidKeys>;
  readonly now: () => WallMs;
}

export interface OpenedSubscription extends PushSubscriptionContent {
  readonly id: number;
}

const MAX_USER_AGENT = 200;

export class PushBrowsers {
  readonly #deps: PushBrowsersDeps;

  constructor(deps: PushBrowsersDeps) {
    this.#deps = deps;
  }

  /** The key with which a browser subscribes, base64url; '' where no push sender is enabled. */
  async pushKey(): Promise<string> {
    const senders = await this.#deps.directory.all();
    if (!senders.some(({ kind, enabled }) => kind === 'push' && enabled)) return '';
    return (await this.#deps.vapidKeys()).publicKey;
  }

  /** Whether a message can be sent to the address: HTTPS, or plain HTTP in NOTIFY_NETWORKS. */
  mayReach(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const { protocol, hostname } = new URL(endpoint);
    if (protocol === 'https:') return true;
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    const isPrivate = isIP(address) !== 0 && !isPublicAddress(address);
    return protocol === 'http:' && isPrivate && this.#deps.guard.checkLiteral(address) === undefined;
  }

  /** Undefined when the member was deleted meanwhile. */
  async allow(userId: number, content: PushSubscriptionContent, userAgent: string): Promise<number | undefined> {
    const { store, box, now } = this.#deps;
    const { endpoint, p256dh, auth } = content;
    const sealed = box.seal(JSON.stringify({ endpoint, p256dh, auth }), pushContext(userId));
    const subscription = { endpointHash: sha256Hex(endpoint), sealed, userAgent: userAgent.slice(0, MAX_USER_AGENT) };
    return store.add(userId, subscription, now());
  }

  browsersOf(userId: number): Promise<readonly AllowedBrowser[]> {
    return this.#deps.store.listOf(userId);
  }

  remove(userId: number, id: number): Promise<boolean> {
    return this.#deps.store.remove(userId, id);
  }

  /** Subscriptions whose keys can be read: a browser that was sealed with another key has to be allowed again. */
  async subscriptionsOf(userId: number): Promise<readonly OpenedSubscription[]> {
    const { store, box } = this.#deps;
    return (await store.sealedOf(userId)).flatMap(({ id, sealed }) => {
      const text = box.open(sealed, pushContext(userId));
      return text === undefined ? [] : [{ id, ...(JSON.parse(text) as PushSubscriptionContent) }];
    });
  }

  forget(id: number): Promise<void> {
    return this.#deps.store.forget(id);
  }

  noteUsed(id: number): Promise<void> {
    return this.#deps.store.noteUsed(id, this.#deps.now());
  }
}
