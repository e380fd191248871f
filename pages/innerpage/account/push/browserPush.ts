// Whether this browser may show notifications, and how it comes to be allowed or not any more.
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import type { OwnNotify, PushSubscriptionContent } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import type { PushPlatform, Subscribed } from './pushPlatform.ts';

/**
 * `insecure`: browsers allow it over HTTPS alone. `denied`: the user, or an administrator, has told the browser so. `allowed`: the
 * gateway knows this browser.
 */
export type PushState = 'insecure' | 'unsupported' | 'no-sender' | 'denied' | 'allowed' | 'available';

export interface BrowserPush {
  readonly state: PushState;
  /** The number of this browser among the user's own; undefined when it isn't one of them. */
  readonly browser: number | undefined;
}

export interface PushFacts {
  readonly isSecure: boolean;
  readonly isSupported: boolean;
  readonly hasSender: boolean;
  readonly permission: NotificationPermission;
  readonly isKnown: boolean;
}

/** Pure. What can be done about first comes last. */
export function pushStateOf({ isSecure, isSupported, hasSender, permission, isKnown }: PushFacts): PushState {
  if (!isSecure) return 'insecure';
  if (!isSupported) return 'unsupported';
  if (!hasSender) return 'no-sender';
  if (permission === 'denied') return 'denied';
  return isKnown && permission === 'granted' ? 'allowed' : 'available';
}

type Own = Pick<OwnNotify, 'pushKey' | 'browsers'>;

export async function lookAtBrowser(platform: PushPlatform, { pushKey, browsers }: Own): Promise<BrowserPush> {
  const { isSecure, isSupported } = platform;
  const canAsk = isSecure && isSupported;
  const subscribed = canAsk ? await platform.subscribed() : undefined;
  const hash = subscribed === undefined ? undefined : await platform.hash(subscribed.endpoint);
  const browser = browsers.find(({ endpointHash }) => endpointHash === hash)?.id;
  const isKnown = browser !== undefined && subscribed !== undefined && isForKey(subscribed, pushKey);
  const permission = canAsk ? platform.permission() : 'default';
  const state = pushStateOf({ isSecure, isSupported, hasSender: pushKey !== '', permission, isKnown });
  return { state, browser };
}

export type Allowed =
  | { readonly kind: 'allowed' | 'denied' | 'dismissed' | 'unreachable' }
  | { readonly kind: 'refused'; readonly failure: ApiFailure };

type Send = (subscription: PushSubscriptionContent) => Promise<ApiResult<unknown>>;

/** Asks the user, the browser's push service and the gateway, in this order. */
export async function allowHere(platform: PushPlatform, pushKey: string, send: Send): Promise<Allowed> {
  const permission = await platform.requestPermission();
  if (permission !== 'granted') return { kind: permission === 'denied' ? 'denied' : 'dismissed' };
  const subscribed = await subscribeFor(platform, pushKey);
  if (subscribed === undefined) return { kind: 'unreachable' };
  const { endpoint, p256dh, auth } = subscribed;
  const sent = await send({ endpoint, p256dh, auth });
  return sent.ok ? { kind: 'allowed' } : { kind: 'refused', failure: sent };
}

/** Undefined when the browser's push service cannot be reached. */
async function subscribeFor(platform: PushPlatform, pushKey: string): Promise<Subscribed | undefined> {
  try {
    const before = await platform.subscribed();
    if (before !== undefined && isForKey(before, pushKey)) return before;
    // A browser keeps one subscription, and refuses another key beside it.
    await before?.unsubscribe();
    return await platform.subscribe(pushKey);
  } catch (error) {
    console.warn('push subscription failed', error);
    return undefined;
  }
}

/** Some browsers do not say for which key they subscribed. */
function isForKey({ serverKey }: Subscribed, pushKey: string): boolean {
  return serverKey === '' || serverKey === pushKey.replaceAll('=', '');
}

/** Ends what the browser's push service holds for this site. The gateway already knows. */
export async function forgetHere(platform: PushPlatform): Promise<void> {
  try {
    await (await platform.subscribed())?.unsubscribe();
  } catch (error) {
    console.warn('push subscription was not ended', error);
  }
}
