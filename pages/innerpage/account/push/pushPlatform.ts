// What the browser has for notifications, as far as this page uses it.

interface PushSubscriptionKeys {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface Subscribed extends PushSubscriptionKeys {
  /** base64url; '' where the browser does not say. */
  readonly serverKey: string;
  unsubscribe(): Promise<unknown>;
}

export interface PushPlatform {
  /** Served over HTTPS, or on the same machine: browsers allow notifications nowhere else. */
  readonly isSecure: boolean;
  readonly isSupported: boolean;
  permission(): NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
  /** Undefined when there is no subscription. */
  subscribed(): Promise<Subscribed | undefined>;
  subscribe(serverKey: string): Promise<Subscribed>;
  /** SHA-256 in hex. */
  hash(text: string): Promise<string>;
}

const WORKER_PATH = '/push-worker.js';

export function browserPlatform(): PushPlatform {
  return {
    isSecure: window.isSecureContext,
    isSupported: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    permission: () => Notification.permission,
    requestPermission: () => Notification.requestPermission(),
    subscribed: async () => {
      const registration = await navigator.serviceWorker.getRegistration('/');
      const subscription = await registration?.pushManager.getSubscription();
      return subscription ? subscribedOf(subscription) : undefined;
    },
    subscribe: async (serverKey) => {
      await navigator.serviceWorker.register(WORKER_PATH, { scope: '/' });
      // A worker that is not active yet cannot subscribe.
      const { pushManager } = await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: serverKey };
      return subscribedOf(await pushManager.subscribe(options));
    },
    hash: async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}

function subscribedOf(subscription: PushSubscription): Subscribed {
  return {
    endpoint: subscription.endpoint,
    p256dh: base64Url(subscription.getKey('p256dh')),
    auth: base64Url(subscription.getKey('auth')),
    serverKey: base64Url(subscription.options.applicationServerKey),
    unsubscribe: () => subscription.unsubscribe(),
  };
}

export function base64Url(bytes: ArrayBuffer | null): string {
  if (bytes === null) return '';
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
