// The browser's side of Web Push: what a page subscribes with, and how a message is read (RFC 8291, RFC 8188).
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushSubscriptionContent } from '../../../shared/protocol/api/notify/ownNotify.ts';

export interface BrowserKeys {
  readonly curve: ECDH;
  readonly auth: Buffer;
  subscription(endpoint: string): PushSubscriptionContent;
  /** Throws for a message that was encrypted for somebody else. */
  decrypt(body: Buffer): string;
}

export function createBrowserKeys(): BrowserKeys {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  const auth = randomBytes(16);
  const publicKey = curve.getPublicKey();
  return {
    curve,
    auth,
    subscription: (endpoint) => ({
      endpoint,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
    }),
    decrypt: (body) => decrypt(body, { curve, auth, publicKey }),
  };
}

interface Keys {
  readonly curve: ECDH;
  readonly auth: Buffer;
  readonly publicKey: Buffer;
}

const TAG_BYTES = 16;

function decrypt(body: Buffer, { curve, auth, publicKey }: Keys): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body[20] ?? 0;
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > recordSize) throw new Error('more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', curve.computeSecret(senderKey), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  // Behind the text a byte that ends it, and any number of noughts.
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}
