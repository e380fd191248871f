// A browser's part of Web Push: it notes what it is asked, and subscribes without a push service.
import type { PushPlatform, Subscribed } from '../../../pages/innerpage/account/push/pushPlatform.ts';
import type { OwnNotify } from '../../../shared/protocol/api/notify/ownNotify.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

/** Key of the installation. */
export const KEY = 'BNcR';

export interface FakePlatform extends PushPlatform {
  readonly endpoint: string;
  readonly asked: string[];
}

interface FakePushOptions {
  readonly isSecure?: boolean;
  readonly permission?: NotificationPermission;
  /** What the user says when asked. */
  readonly answer?: NotificationPermission;
  /** The key that the browser has subscribed for. */
  readonly subscribedFor?: string;
  readonly isUnreachable?: boolean;
}

export function fakePlatform(options: FakePushOptions = {}): FakePlatform {
  const { isSecure = true, answer = 'granted', isUnreachable = false } = options;
  const endpoint = 'https://push.example/here';
  const asked: string[] = [];
  let permission = options.permission ?? 'default';
  const subscription = (serverKey: string): Subscribed => ({
    endpoint,
    p256dh: 'p256dh',
    auth: 'auth',
    serverKey,
    unsubscribe: async () => {
      asked.push('unsubscribe');
      current = undefined;
    },
  });
  let current = options.subscribedFor === undefined ? undefined : subscription(options.subscribedFor);
  return {
    endpoint,
    asked,
    isSecure,
    isSupported: isSecure,
    permission: () => permission,
    requestPermission: async () => {
      asked.push('permission');
      permission = answer;
      return answer;
    },
    subscribed: async () => {
      asked.push('subscribed');
      return current;
    },
    subscribe: async (key) => {
      asked.push(`subscribe ${key}`);
      if (isUnreachable) throw new Error('push service not reached');
      current = subscription(key);
      return current;
    },
    hash: async (text) => hashOf(text),
  };
}

function hashOf(text: string): string {
  return `hash of ${text}`;
}

/** A browser that the gateway knows. */
export function browserOf(id: number, endpoint: string): OwnNotify['browsers'][number] {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const times = { createdAtMs: wallMs(1_795_000_000_000), lastUsedAtMs: wallMs(0) };
  return { id, endpointHash: hashOf(endpoint), userAgent, ...times };
}
