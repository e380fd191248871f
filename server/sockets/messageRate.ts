// Limits what one client may send on its WebSocket. Pages stay far below. A client above is told and cut off, because every
// message takes time of this thread.
import type { RawData, WebSocket } from 'ws';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import type { Refusal } from './refusal.ts';

/**
 * Messages per second from a viewer, PTZ or talk on one socket, pings included; up to 1,000 at once. A held key sends some thirty, and the
 * burst covers half a minute of delayed messages. The socket is closed with 1008, `too-many-messages`.
 */
export const MESSAGES_LIMIT: Limit = { name: 'stream.messages.socket', max: 100 };
const MESSAGES_BURST = 1_000;
/**
 * Speech per second, two and a half times the highest rate that terminals take; up to 8 MiB at once. The socket is closed with 1008,
 * `too-many-messages`.
 */
export const SPEECH_BYTES_LIMIT: Limit = { name: 'talk.bytes.socket', max: 256 * 1024 };
const SPEECH_BYTES_BURST = 8 * 1024 * 1024;
/**
 * Messages per second from one page; up to 200 at once. A page sends its topics when one of its parts subscribes or unsubscribes. The
 * socket is closed with 1008, `too-many-messages`.
 */
export const UPDATE_MESSAGES_LIMIT: Limit = { name: 'updates.messages.socket', max: 10 };
const UPDATE_MESSAGES_BURST = 200;

interface Rate {
  readonly limit: Limit;
  readonly burst: number;
}

/** Size of one message from a viewer or PTZ, which only send short ones. The socket is closed with 1009. */
export const MESSAGE_BYTES_LIMIT: Limit = { name: 'stream.message-bytes.socket', max: 4 * 1024 };
/** Size of one message of speech: a second at any rate that terminals take. The socket is closed with 1009. */
export const SPEECH_MESSAGE_BYTES_LIMIT: Limit = { name: 'talk.message-bytes.socket', max: 96 * 1024 };
/** Size of one message from a page. The socket is closed with 1009. */
export const UPDATE_MESSAGE_BYTES_LIMIT: Limit = { name: 'updates.message-bytes.socket', max: 4 * 1024 };

export interface MessageRates {
  /** The library closes the socket with status 1009. */
  readonly messageBytes: Limit;
  readonly messages: Rate;
  readonly bytes?: Rate;
}

export const VIEWER_RATES: MessageRates = {
  messageBytes: MESSAGE_BYTES_LIMIT,
  messages: { limit: MESSAGES_LIMIT, burst: MESSAGES_BURST },
};
export const SPEECH_RATES: MessageRates = {
  ...VIEWER_RATES,
  messageBytes: SPEECH_MESSAGE_BYTES_LIMIT,
  bytes: { limit: SPEECH_BYTES_LIMIT, burst: SPEECH_BYTES_BURST },
};
export const UPDATE_RATES: MessageRates = {
  messageBytes: UPDATE_MESSAGE_BYTES_LIMIT,
  messages: { limit: UPDATE_MESSAGES_LIMIT, burst: UPDATE_MESSAGES_BURST },
};

export interface MessageRateDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit | undefined;
  /** Says why in the socket's own way, then closes it. */
  readonly refuse: (socket: WebSocket, refusal: Refusal) => void;
}

const TOO_FAST: Refusal = { code: 'too-many-messages', message: 'This page sent too many messages. Reload it.' };
/** A client that does not close its end is cut. */
const CLOSING_MS = 500;

/** Closes the socket when a rate is exceeded; its other listeners get no further message. */
export function limitMessages(socket: WebSocket, rates: MessageRates, deps: MessageRateDeps): void {
  const { now, runAfter, onLimit, refuse } = deps;
  const messages = bucketOf(rates.messages, now());
  const bytes = rates.bytes && { rate: rates.bytes, bucket: bucketOf(rates.bytes, now()) };
  let isOver = false;
  const end = ({ limit }: Rate): void => {
    isOver = true;
    onLimit?.(limit);
    // The library delivers messages until the other end has closed too.
    socket.removeAllListeners('message');
    refuse(socket, TOO_FAST);
    socket.once(
      'close',
      runAfter(CLOSING_MS, () => socket.terminate()),
    );
  };
  const count = (data: RawData): void => {
    if (isOver) return;
    if (!messages.take(now())) end(rates.messages);
    else if (bytes?.bucket.take(now(), bytesOf(data)) === false) end(bytes.rate);
  };
  socket.on('error', (error) => {
    if (errorCode(error) === TOO_LONG) onLimit?.(rates.messageBytes);
  });
  socket.on('message', count);
  socket.on('ping', count);
  socket.on('pong', count);
}

/** How the library names a message that is longer than it may be. */
const TOO_LONG = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

function errorCode(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

function bucketOf({ limit, burst }: Rate, nowMs: number): TokenBucket {
  return new TokenBucket({ burst, perSecond: limit.max }, nowMs);
}

function bytesOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { byteLength }) => sum + byteLength, 0) : data.byteLength;
}
